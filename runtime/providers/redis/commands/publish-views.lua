#!lua flags=allow-oom
-- Appends entries to the catalogue log, all or none, numbered without gaps, and notifies the followers.
--
-- KEYS[1]  catalogue stream; an entry's number is the time half of its id; field `m`: its payload, field `s`: the sum of
--          the bytes of all payloads up to and with its own
-- KEYS[2]  number of the newest entry
-- KEYS[3]  its sum
-- ARGV[1]  channel that followers listen to
-- ARGV[2]  number of entries to keep
-- ARGV[3]  upper bound of the bytes of their payloads
-- ARGV[4]  number of entries that are kept in any case
-- ARGV[5…] payloads
--
-- Returns the number of the newest entry. A log without a counter begins at the time in µs: a log that was lost and
-- recreated is above every number assigned before, and its followers see a gap (law 11).
local number = tonumber(redis.call('GET', KEYS[2]))
if not number then
  local time = redis.call('TIME')
  number = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
local sum = tonumber(redis.call('GET', KEYS[3]) or '0')
for i = 5, #ARGV do
  number = number + 1
  sum = sum + #ARGV[i]
  local id = string.format('%.0f-0', number)
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], id, 'm', ARGV[i], 's', string.format('%.0f', sum))
end
local newest = string.format('%.0f', number)
redis.call('SET', KEYS[2], newest)
redis.call('SET', KEYS[3], string.format('%.0f', sum))

-- Releases up to 0.4 append entries without a sum, of which they keep few.
local function sum_of(entry)
  return entry[2][3] == 's' and tonumber(entry[2][4]) or 0
end
local bound = sum - tonumber(ARGV[3])
local least = tonumber(ARGV[4])
local length = redis.call('XLEN', KEYS[1])
while length > least and sum_of(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]) < bound do
  length = math.max(least, length - 100)
  redis.call('XTRIM', KEYS[1], 'MAXLEN', length)
end
redis.call('PUBLISH', ARGV[1], newest)
return newest
