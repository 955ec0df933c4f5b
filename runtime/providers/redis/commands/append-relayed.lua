#!lua
-- Takes messages of another log over, each once: appends those whose id is new, and notes up to where the partition has
-- the source. One script changes both, so a message is here if and only if its source position is not above that.
--
-- KEYS[1]  stream of the partition
-- KEYS[2]  hash: for each source '<position> <through>', and '!<source>' with the reason of a source that is written off
-- KEYS[3]  stream of the messages that came too late
-- KEYS[4…] three for each hour of issue: the ids seen, the notes of provisional messages by id, and the ids that came from
--          elsewhere than where they were sold
-- ARGV[1]  source
-- ARGV[2]  position after which the messages follow each other in the source
-- ARGV[3]  ms since the epoch: to when the source is drained with these messages
-- ARGV[4…] seven for each message: the index of its hour's ids in KEYS, position in the source, id, expiry in ms since the
--          epoch, payload, '?<note>' of a provisional message or the offset of the note from the end in bytes or '', and
--          '1' where the source sold it
--
-- Returns the position up to which the partition has the source. It is below ARGV[2] where messages are missing between:
-- nothing is changed then. When memory is short, Redis refuses the script before it begins.
local REMEMBER_MS = 3600000
local REMEMBER_FOREIGN_MS = 691200000
local PROVISIONAL = 63 -- '?'
local function halves(position)
  local ms, sequence = string.match(position, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(sequence)
end
local function isAbove(position, other)
  local ms, sequence = halves(position)
  local otherMs, otherSequence = halves(other)
  return ms > otherMs or (ms == otherMs and sequence > otherSequence)
end
local function keep(key, at)
  if redis.call('PEXPIRETIME', key) < at then
    redis.call('PEXPIREAT', key, string.format('%.0f', at))
  end
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local source = ARGV[1]
local held = redis.call('HGET', KEYS[2], source)
local position, through = '0-0', '0'
if held then
  position, through = string.match(held, '^(%S+) (%S+)$')
end
if isAbove(ARGV[2], position) then
  return position
end
local writtenOff = redis.call('HEXISTS', KEYS[2], '!' .. source) == 1
local before = position
for i = 4, #ARGV, 7 do
  local from = ARGV[i + 1]
  if isAbove(from, position) then
    local seen = tonumber(ARGV[i])
    local notes, foreign = seen + 1, seen + 2
    local id = ARGV[i + 2]
    local expires = tonumber(ARGV[i + 3])
    local payload = ARGV[i + 4]
    local kind = ARGV[i + 5]
    local own = ARGV[i + 6] == '1'
    local known = expires + (own and REMEMBER_FOREIGN_MS or REMEMBER_MS)
    if writtenOff or known <= now then
      redis.call('XADD', KEYS[3], '*', 's', source, 'f', from, 'm', payload)
    elseif redis.call('SISMEMBER', KEYS[seen], id) == 0 and redis.call('SISMEMBER', KEYS[foreign], id) == 0 then
      local forget = expires + REMEMBER_MS
      local note = redis.call('HGET', KEYS[notes], id)
      if string.byte(kind) == PROVISIONAL then
        if not note then
          redis.call('XADD', KEYS[1], '*', 'm', payload)
          redis.call('HSET', KEYS[notes], id, string.sub(kind, 2))
          -- The final message may wait in the region that sold the id.
          keep(KEYS[notes], expires + REMEMBER_FOREIGN_MS)
        end
      else
        if note and kind ~= '' then
          local at = #payload - tonumber(kind)
          payload = string.sub(payload, 1, at) .. note .. string.sub(payload, at + 1)
        end
        redis.call('XADD', KEYS[1], '*', 'm', payload)
        if forget > now then
          redis.call('SADD', KEYS[seen], id)
          keep(KEYS[seen], forget)
          if note then
            keep(KEYS[notes], forget)
          end
        end
        if not own then
          redis.call('SADD', KEYS[foreign], id)
          keep(KEYS[foreign], expires + REMEMBER_FOREIGN_MS)
        end
      end
    end
    position = from
  end
end
if tonumber(ARGV[3]) > tonumber(through) then
  through = ARGV[3]
elseif held and position == before then
  return position
end
redis.call('HSET', KEYS[2], source, position .. ' ' .. through)
return position
