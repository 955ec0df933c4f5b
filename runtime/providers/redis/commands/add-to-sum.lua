#!lua
-- Adds to a sum and forgets it no sooner than wished.
--
-- KEYS[1]  the sum
-- ARGV[1]  what to add, a whole number
-- ARGV[2]  from when it may be forgotten, ms since the epoch; a later time that it has stays
--
-- Answers the sum.
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[2])
end
return sum
