#!lua flags=allow-oom
-- Says that a member lives for a while, and forgets those whose time is over.
--
-- KEYS[1]  members, by the end of their time in ms since the epoch
-- ARGV[1]  the member
-- ARGV[2]  for how long it lives, ms
--
-- Answers the names of all who live.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZRANGE', KEYS[1], 0, -1)
