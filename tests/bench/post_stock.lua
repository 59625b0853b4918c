-- wrk: each request adds a stock item with a reference of its own, by the next of the users whose tokens are the arguments: one user alone
-- has a share of the workers.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init(arguments)
   tokens = arguments
   prefix = string.format("%d-%d-", os.time(), number)
   count = 0
   wrk.method = "POST"
   wrk.headers["Content-Type"] = "application/json"
end

function request()
   count = count + 1
   wrk.headers["Authorization"] = "Bearer " .. tokens[count % #tokens + 1]
   return wrk.format(nil, nil, nil, '{"reference":"' .. prefix .. count .. '","title":"Van ' .. count ..
      '","description":"One owner, full history.","make":"Ford","model":"Transit","price":1990000,"currency":"GBP","status":"PUBLISHED"}')
end
