#!lua
-- Sets a mark with its own expiry, unless the key has too many marks.
--
-- KEYS[1]  marks of one key, by their expiry in ms since the epoch
-- ARGV[1]  the mark
-- ARGV[2]  its expiry; a later one that it has is kept
-- ARGV[3]  the caller's time, ms since the epoch: marks that expire by then are removed
-- ARGV[4]  maximum number of marks, this one included; '' for no limit
--
-- Returns 1, or 0 when the limit is reached and nothing is set.
-- The key expires a minute after its last mark, because clocks differ.
local SLACK_MS = 60000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
if ARGV[4] ~= '' and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
end
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2]) + SLACK_MS))
return 1
