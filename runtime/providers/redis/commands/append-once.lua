#!lua
-- Appends each message whose id is new and that has not expired, in order. A provisional message is appended only when no
-- message of its id was. Its id stays free for the final message, whose payload gets the note of the provisional one.
--
-- KEYS[1]  stream of the partition
-- KEYS[2]  ids seen, of one hour of issue
-- KEYS[3]  ids seen, of another hour (or the same key again)
-- KEYS[4]  notes of provisional messages by id, of the hour of KEYS[2]
-- KEYS[5]  notes of provisional messages by id, of the hour of KEYS[3]
-- ARGV     five for each message: 2 or 3 (the key that stores its id), id, expiry in ms since the epoch, payload, and
--          '?<note>' of a provisional message, the offset of the note from the end of the payload in bytes, or ''
--
-- Returns for each message 1 (appended), 0 (repeated) or -1 (expired).
-- Ids and notes are kept until an hour after the last expiry among them.
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
      -- One lookup for each hour instead of each message: notes are rare.
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
        -- A note is kept at least as long as its id.
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
