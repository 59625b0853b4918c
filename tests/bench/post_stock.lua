-- wrk: each request adds a stock item with a reference of its own.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init()
   prefix = string.format("%d-%d-", os.time(), number)
   count = 0
   wrk.method = "POST"
   wrk.headers["Content-Type"] = "application/json"
end

function request()
   count = count + 1
   return wrk.format(nil, nil, nil, '{"reference":"' .. prefix .. count .. '","title":"Van ' .. count ..
      '","description":"One owner, full history.","make":"Ford","model":"Transit","price":1990000,"currency":"GBP","status":"PUBLISHED"}')
end
