#!lua
-- Appends each message whose id is new and that has not expired, in order. A provisional message is appended only when no
-- message of its id was. Its id stays free for the final message, whose payload gets the note of the provisional one.
-- Messages of several partitions may share a call; in a Redis Cluster all keys are of one partition.
--
-- KEYS     three for each hour of issue in a partition: the partition's stream, the ids seen, and the notes of provisional
--          messages by id; where one server has all partitions, behind them the strings with the number of partitions and
--          with the name of the data
-- ARGV[1]  that number; '' where the strings are not among KEYS
-- ARGV[2]  the name that the data must have; '' for any
-- ARGV[3…] one for each message, of three parts with a line break between them: '<stream> <expiry> <kind>', id, payload. The
--          stream is its index in KEYS, the expiry in ms since the epoch, and the kind '?<note>' of a provisional message,
--          the offset of the note from the end of the payload in bytes, or ''; before any of these '!', where a region's
--          log may bring the same id (see append-relayed.lua)
--
-- Returns for each message 1 (appended), 0 (repeated) or -1 (expired).
-- Beside KEYS it uses, for such an id, the hash of relayed sources and the ids from elsewhere, both in the same slot.
-- Ids and notes are kept until an hour after the last expiry among them; notes of ids that a region may bring for 8 days.
local REMEMBER_MS = 3600000
local REMEMBER_FOREIGN_MS = 691200000
local PROVISIONAL = 63 -- '?'
local FOREIGN = 33 -- '!'
-- A server that was emptied must not take a message whose partition a later start could count otherwise.
if ARGV[1] ~= '' then
  if ARGV[2] ~= '' and redis.call('GET', KEYS[#KEYS]) ~= ARGV[2] then
    return redis.error_reply('OTHERDATA the data are not those of the name ' .. ARGV[2])
  end
  redis.call('SET', KEYS[#KEYS - 1], ARGV[1], 'NX')
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local outcomes = {}
local forget = {}
local noted = {}
local function hasSources(stream)
  return redis.call('EXISTS', (string.gsub(KEYS[stream], 'stream$', 'relayed'))) == 1
end
for i = 3, #ARGV do
  local stream, expires, kind, id, from = string.match(ARGV[i], '^(%S+) (%S+) ([^\n]*)\n([^\n]*)\n()')
  stream, expires = tonumber(stream), tonumber(expires)
  local seen, notes = stream + 1, stream + 2
  local payload = string.sub(ARGV[i], from)
  local outcome = -1
  if expires > now then
    outcome = 0
    if redis.call('SISMEMBER', KEYS[seen], id) == 0 then
      local remembered, remember = seen, REMEMBER_MS
      local foreign = string.byte(kind) == FOREIGN
      if foreign then
        kind = string.sub(kind, 2)
      end
      -- One lookup for each hour instead of each message: notes are rare.
      if noted[notes] == nil then
        noted[notes] = redis.call('EXISTS', KEYS[notes]) == 1
      end
      if string.byte(kind) == PROVISIONAL then
        remembered = notes
        if redis.call('HEXISTS', KEYS[notes], id) == 0 then
          redis.call('XADD', KEYS[stream], '*', 'm', payload)
          redis.call('HSET', KEYS[notes], id, string.sub(kind, 2))
          noted[notes] = true
          outcome = 1
          if foreign and hasSources(stream) then
            remember = REMEMBER_FOREIGN_MS
          end
        end
      else
        local note = noted[notes] and kind ~= '' and redis.call('HGET', KEYS[notes], id)
        if note then
          local at = #payload - tonumber(kind)
          payload = string.sub(payload, 1, at) .. note .. string.sub(payload, at + 1)
        end
        redis.call('XADD', KEYS[stream], '*', 'm', payload)
        redis.call('SADD', KEYS[seen], id)
        if foreign and hasSources(stream) then
          local elsewhere = string.gsub(KEYS[seen], ':seen:(%d+)$', ':foreign:%1')
          redis.call('SADD', elsewhere, id)
          if redis.call('PEXPIRETIME', elsewhere) < expires + REMEMBER_FOREIGN_MS then
            redis.call('PEXPIREAT', elsewhere, string.format('%.0f', expires + REMEMBER_FOREIGN_MS))
          end
        end
        outcome = 1
      end
      if outcome == 1 then
        forget[remembered] = math.max(forget[remembered] or 0, expires + remember)
        -- A note is kept at least as long as its id.
        if remembered == seen and noted[notes] then
          forget[notes] = math.max(forget[notes] or 0, expires + REMEMBER_MS)
        end
      end
    end
  end
  outcomes[#outcomes + 1] = outcome
end
for key, at in pairs(forget) do
  if redis.call('PEXPIRETIME', KEYS[key]) < at then
    redis.call('PEXPIREAT', KEYS[key], string.format('%.0f', at))
  end
end
return outcomes
