#!lua
-- Adds ids that another partition remembers to the ids of the same hour of issue.
--
-- KEYS[1]  the ids
-- ARGV[1]  time at which the ids may be forgotten, ms since the epoch; a later one of the key is kept. '' for never
-- ARGV[2…] ids, and marks beside them
--
-- Returns the number of new ones.
local added = redis.call('SADD', KEYS[1], unpack(ARGV, 2))
if ARGV[1] ~= '' and redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[1])
end
return added
