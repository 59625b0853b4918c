-- wrk: each request tries another email with a wrong password.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init()
   prefix = string.format("%d-%d-", os.time(), number)
   count = 0
   wrk.headers["Content-Type"] = "application/json"
end

function request()
   count = count + 1
   return wrk.format("POST", nil, nil, '{"email":"' .. prefix .. count .. '@tradepost.example","password":"not the password"}')
end
