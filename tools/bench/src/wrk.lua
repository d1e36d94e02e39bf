-- wrk runs this script (src/wrk.ts): it sends the requests of a file in turn and prints the result as JSON.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  requests, position, failures = {}, 0, {}
  local file = assert(io.open(arguments[1], 'rb'))
  while true do
    local length = file:read('*n')
    if not length then break end
    file:read(1)
    table.insert(requests, file:read(length))
  end
  file:close()
  -- Without this function wrk does not copy bodies into strings, which would double its cost.
  if arguments[2] == 'explain' then
    response = function(status, _, body)
      if status < 200 or status > 299 then
        -- The trace id differs in each answer.
        local text = (status .. ' ' .. body:gsub('"traceId":"[^"]*",?', '')):sub(1, 300)
        failures[text] = (failures[text] or 0) + 1
      end
    end
  end
end

function request()
  position = position % #requests + 1
  return requests[position]
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', function(sign) return string.format('\\u%04x', sign:byte()) end) .. '"'
end

function done(summary, latency)
  local text = {}
  for _, thread in ipairs(threads) do
    for what, times in pairs(thread:get('failures') or {}) do
      table.insert(text, '[' .. quoted(what) .. ',' .. times .. ']')
    end
  end
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"broken":%d,"refused":%d,"failures":[%s]}',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status, table.concat(text, ',')))
end
