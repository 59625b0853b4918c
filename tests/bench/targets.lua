-- wrk … -- FILE: asks for the targets in the file, one a line, in turn; each thread begins somewhere else.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init(arguments)
   requests = {}
   for target in io.lines(arguments[1]) do
      requests[#requests + 1] = wrk.format("GET", target)
   end
   at = math.floor(number * #requests / 2)
end

function request()
   at = at % #requests + 1
   return requests[at]
end
