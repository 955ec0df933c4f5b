#!lua flags=allow-oom
-- Acquires the lease of a partition that is free, expired or held by the caller, under a new epoch.
--
-- KEYS[1]  lease of the partition
-- KEYS[2]  stream of the partition
-- ARGV[1]  the caller, as owner
-- ARGV[2]  duration of the lease, ms
--
-- Returns {epoch, cursor, last id ever assigned, note}, or nil when another owner holds the lease.
-- The epoch is at least the time in ms, so that it grows even if Redis loses all of its data.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local lease = redis.call('HMGET', KEYS[1], 'owner', 'expires', 'epoch', 'cursor', 'note')
if lease[1] and lease[1] ~= ARGV[1] and tonumber(lease[2]) > now then
  return false
end
local epoch = math.max((tonumber(lease[3]) or 0) + 1, now)
local kept = string.format('%.0f', epoch)
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'epoch', kept, 'expires', string.format('%.0f', now + tonumber(ARGV[2])))
local last = '0-0'
if redis.call('EXISTS', KEYS[2]) == 1 then
  local stream = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #stream, 2 do
    if stream[i] == 'last-generated-id' then
      last = stream[i + 1]
    end
  end
end
return { kept, lease[4] or '0-0', last, lease[5] or '' }
