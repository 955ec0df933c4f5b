#!lua
-- Sets a mark that ends at a time of its own, unless there is no room for it.
--
-- KEYS[1]  marks of one key, by their end in ms since the epoch
-- ARGV[1]  the mark
-- ARGV[2]  its end; an end that it has and that is later stays
-- ARGV[3]  the caller's time: marks that end by then have ended
-- ARGV[4]  how many marks there may be then, this one among them; '' for any number
--
-- Answers 1, or 0 when there was no room and nothing was set.
-- Forgets marks that have ended, and the key a minute after its last end: clocks differ.
local SLACK_MS = 60000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
if ARGV[4] ~= '' and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
end
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2]) + SLACK_MS))
return 1
