#!lua flags=allow-oom
-- Records that a member is alive and its condition, and removes the members that have expired.
--
-- KEYS[1]  members, by their expiry in ms since the epoch
-- KEYS[2]  unfit members, likewise; a member is in one of the two
-- KEYS[3]  the condition of each member
-- ARGV[1]  the member
-- ARGV[2]  time until it expires, ms
-- ARGV[3]  1 when it is unfit, else 0
-- ARGV[4]  its condition
--
-- Returns {name, ms left, condition} of all members; the condition is empty for a member without one.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local at = tonumber(ARGV[3]) + 1
redis.call('ZADD', KEYS[at], now + tonumber(ARGV[2]), ARGV[1])
redis.call('ZREM', KEYS[3 - at], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
local conditions = {}
local kept = redis.call('HGETALL', KEYS[3])
for i = 1, #kept, 2 do
  conditions[kept[i]] = kept[i + 1]
end
local answer = {}
for group = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[group], '-inf', now)
  local members = redis.call('ZRANGE', KEYS[group], 0, -1, 'WITHSCORES')
  for i = 1, #members, 2 do
    answer[#answer + 1] = { members[i], tonumber(members[i + 1]) - now, conditions[members[i]] or '' }
    conditions[members[i]] = nil
  end
end
for gone in pairs(conditions) do
  redis.call('HDEL', KEYS[3], gone)
end
return answer
