#!lua flags=allow-oom
-- Ensures that ids assigned from now on are above a position, and that the cursor is not above the last id, if the epoch is
-- current. A partition needs it when its stream was lost and the states that reflect it were not.
-- Law 9.
--
-- KEYS[1]  lease of the partition
-- KEYS[2]  stream of the partition
-- ARGV[1]  epoch
-- ARGV[2]  the position
--
-- Returns 1, or 0 when the epoch is stale.
local lease = redis.call('HMGET', KEYS[1], 'epoch', 'cursor')
if lease[1] ~= ARGV[1] then
  return 0
end

local function above(a, b)
  local aTime, aSequence = string.match(a, '(%d+)-(%d+)')
  local bTime, bSequence = string.match(b, '(%d+)-(%d+)')
  if aTime ~= bTime then
    return tonumber(aTime) > tonumber(bTime)
  end
  return tonumber(aSequence) > tonumber(bSequence)
end

local last = '0-0'
if redis.call('EXISTS', KEYS[2]) == 1 then
  local stream = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #stream, 2 do
    if stream[i] == 'last-generated-id' then
      last = stream[i + 1]
    end
  end
  if above(ARGV[2], last) then
    redis.call('XSETID', KEYS[2], ARGV[2])
    last = ARGV[2]
  end
elseif above(ARGV[2], last) then
  -- XSETID needs a stream: an entry that is added and deleted leaves an empty one, with its id as the last. It is
  -- not counted as ever added.
  redis.call('XADD', KEYS[2], ARGV[2], 'm', '')
  redis.call('XDEL', KEYS[2], ARGV[2])
  redis.call('XSETID', KEYS[2], ARGV[2], 'ENTRIESADDED', 0, 'MAXDELETEDID', ARGV[2])
  last = ARGV[2]
end
if lease[2] and above(lease[2], last) then
  redis.call('HSET', KEYS[1], 'cursor', last)
end
return 1
