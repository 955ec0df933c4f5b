#!lua
-- Adds to a sum and postpones its expiry.
--
-- KEYS[1]  the sum
-- ARGV[1]  the summand, a whole number
-- ARGV[2]  time at which the sum may expire, ms since the epoch; a later time that it has is kept
--
-- Returns the sum.
local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[2])
end
return sum
