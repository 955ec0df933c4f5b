#!lua
-- Appends each message whose id was not seen before and whose time is not over, in order.
--
-- KEYS[1]  stream of the partition
-- KEYS[2]  ids seen, of one hour of issue
-- KEYS[3]  ids seen, of another hour (or the same key again)
-- ARGV     four for each message: 2 or 3 (which key remembers it), id, expiry in ms since the epoch, payload
--
-- Answers for each message 1 appended, 0 repeated, -1 expired.
-- Ids are remembered until an hour after the last expiry among them.
local REMEMBER_MS = 3600000
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local outcomes = {}
local forget = {}
for i = 1, #ARGV, 4 do
  local which = tonumber(ARGV[i])
  local expires = tonumber(ARGV[i + 2])
  local outcome = -1
  if expires > now then
    outcome = 0
    if redis.call('SISMEMBER', KEYS[which], ARGV[i + 1]) == 0 then
      redis.call('XADD', KEYS[1], '*', 'm', ARGV[i + 3])
      redis.call('SADD', KEYS[which], ARGV[i + 1])
      outcome = 1
      forget[which] = math.max(forget[which] or 0, expires + REMEMBER_MS)
    end
  end
  outcomes[#outcomes + 1] = outcome
end
for which, at in pairs(forget) do
  if redis.call('PEXPIRETIME', KEYS[which]) < at then
    redis.call('PEXPIREAT', KEYS[which], string.format('%.0f', at))
  end
end
return outcomes
