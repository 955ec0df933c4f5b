#!lua flags=allow-oom
-- Renews a lease that is still held under its epoch.
--
-- KEYS[1]  lease of the partition
-- ARGV[1]  owner
-- ARGV[2]  epoch
-- ARGV[3]  duration, ms
--
-- Returns 1, or 0 when the lease is no longer held.
local lease = redis.call('HMGET', KEYS[1], 'owner', 'epoch')
if lease[1] ~= ARGV[1] or lease[2] ~= ARGV[2] then
  return 0
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('HSET', KEYS[1], 'expires', string.format('%.0f', now + tonumber(ARGV[3])))
return 1
