#!lua
-- Appends each message whose id was not seen before and whose time is not over, in order. A provisional message is appended only when
-- no message of its id was, and leaves the id to the final one, which gets the note of the provisional one into its payload.
--
-- KEYS[1]  stream of the partition
-- KEYS[2]  ids seen, of one hour of issue
-- KEYS[3]  ids seen, of another hour (or the same key again)
-- KEYS[4]  notes of provisional messages by id, of the hour of KEYS[2]
-- KEYS[5]  notes of provisional messages by id, of the hour of KEYS[3]
-- ARGV     five for each message: 2 or 3 (which key remembers it), id, expiry in ms since the epoch, payload, and
--          '?<note>' of a provisional message, before how many of the last bytes of the payload a note stands, or ''
--
-- Answers for each message 1 appended, 0 repeated, -1 expired.
-- Ids and notes are remembered until an hour after the last expiry among them.
local REMEMBER_MS = 3600000
local PROVISIONAL = 63 -- '?'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local outcomes = {}
local forget = {}
local noted = {}
for i = 1, #ARGV, 5 do
  local which = tonumber(ARGV[i])
  local id = ARGV[i + 1]
  local expires = tonumber(ARGV[i + 2])
  local payload = ARGV[i + 3]
  local kind = ARGV[i + 4]
  local outcome = -1
  if expires > now then
    outcome = 0
    if redis.call('SISMEMBER', KEYS[which], id) == 0 then
      local remembered = which
      -- One question for each hour, not one for each message: there are hardly ever notes.
      if noted[which] == nil then
        noted[which] = redis.call('EXISTS', KEYS[which + 2]) == 1
      end
      if string.byte(kind) == PROVISIONAL then
        remembered = which + 2
        if redis.call('HEXISTS', KEYS[remembered], id) == 0 then
          redis.call('XADD', KEYS[1], '*', 'm', payload)
          redis.call('HSET', KEYS[remembered], id, string.sub(kind, 2))
          noted[which] = true
          outcome = 1
        end
      else
        local note = noted[which] and kind ~= '' and redis.call('HGET', KEYS[which + 2], id)
        if note then
          local at = #payload - tonumber(kind)
          payload = string.sub(payload, 1, at) .. note .. string.sub(payload, at + 1)
        end
        redis.call('XADD', KEYS[1], '*', 'm', payload)
        redis.call('SADD', KEYS[which], id)
        outcome = 1
      end
      if outcome == 1 then
        forget[remembered] = math.max(forget[remembered] or 0, expires + REMEMBER_MS)
        -- A note is not forgotten before the id that it is of.
        if remembered == which and noted[which] then
          forget[which + 2] = math.max(forget[which + 2] or 0, expires + REMEMBER_MS)
        end
      end
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
