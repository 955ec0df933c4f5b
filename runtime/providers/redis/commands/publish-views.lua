#!lua flags=allow-oom
-- Appends entries to the catalogue log, all or none, numbered without gaps, and notifies the followers.
--
-- KEYS[1]  catalogue stream; an entry's number is the time half of its id
-- KEYS[2]  number of the newest entry
-- ARGV[1]  channel that followers listen to
-- ARGV[2]  minimum number of entries to keep
-- ARGV[3…] payloads
--
-- Returns the number of the newest entry. A log without a counter begins at the time in µs: a log that was lost and
-- recreated is above every number assigned before, and its followers see a gap (law 11).
local number = tonumber(redis.call('GET', KEYS[2]))
if not number then
  local time = redis.call('TIME')
  number = tonumber(time[1]) * 1000000 + tonumber(time[2])
end
for i = 3, #ARGV do
  number = number + 1
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], string.format('%.0f-0', number), 'm', ARGV[i])
end
local newest = string.format('%.0f', number)
redis.call('SET', KEYS[2], newest)
redis.call('PUBLISH', ARGV[1], newest)
return newest
