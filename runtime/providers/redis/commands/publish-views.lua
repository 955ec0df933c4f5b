#!lua flags=allow-oom
-- Appends entries to the catalogue log, all or none, numbered without holes, and tells the followers.
--
-- KEYS[1]  catalogue stream; an entry's number is the time half of its id
-- KEYS[2]  number of the newest entry
-- ARGV[1]  channel that followers listen to
-- ARGV[2]  how many entries are kept at least
-- ARGV[3…] payloads
--
-- Answers the number of the newest entry. A log without a counter begins at the time in µs: one that was lost and made
-- anew stands above every number given out before, and its followers see a hole
-- (law 11).
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
