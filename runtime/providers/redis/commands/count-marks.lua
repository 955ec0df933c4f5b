#!lua flags=no-writes
-- Counts the marks of several keys of one group that have not ended.
--
-- KEYS     marks of one key each, by their end in ms since the epoch
-- ARGV[1]  the caller's time
--
-- Answers a count for each key, in order.
local counts = {}
for i = 1, #KEYS do
  counts[i] = redis.call('ZCOUNT', KEYS[i], '(' .. ARGV[1], '+inf')
end
return counts
