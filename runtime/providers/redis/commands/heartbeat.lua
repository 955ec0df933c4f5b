#!lua flags=allow-oom
-- Says that a member lives for a while and how it is, and forgets those whose time is over.
--
-- KEYS[1]  members, by the end of their time in ms since the epoch
-- KEYS[2]  members that are unfit, likewise; a member is in one of both
-- KEYS[3]  of each member, what it said of its condition
-- ARGV[1]  the member
-- ARGV[2]  for how long it lives, ms
-- ARGV[3]  1 when it is unfit, else 0
-- ARGV[4]  its condition
--
-- Answers {name, ms left, condition} of all who live; the condition of a member that says none is empty.
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
