#!lua flags=no-writes
-- Counts the unexpired marks of several keys of one group.
--
-- KEYS     marks of one key each, by their expiry in ms since the epoch
-- ARGV[1]  the caller's time, ms since the epoch
--
-- Returns a count for each key, in order.
local counts = {}
for i = 1, #KEYS do
  counts[i] = redis.call('ZCOUNT', KEYS[i], '(' .. ARGV[1], '+inf')
end
return counts
