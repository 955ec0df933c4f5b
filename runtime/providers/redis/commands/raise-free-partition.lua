#!lua
-- Ensures that ids assigned from now on are above a position, and moves the cursor to it, if the partition is free and
-- drained. A partition that was never used is then like one whose only entry, at the position, was handled and trimmed.
--
-- KEYS[1]  lease of the partition
-- KEYS[2]  stream of the partition
-- ARGV[1]  the position
--
-- Returns 1, or 0 when an owner holds the lease, entries are above the cursor, or the last id or the cursor is above the
-- position (nothing is changed).
local function above(a, b)
  local aTime, aSequence = string.match(a, '(%d+)-(%d+)')
  local bTime, bSequence = string.match(b, '(%d+)-(%d+)')
  if aTime ~= bTime then
    return tonumber(aTime) > tonumber(bTime)
  end
  return tonumber(aSequence) > tonumber(bSequence)
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local lease = redis.call('HMGET', KEYS[1], 'owner', 'expires', 'cursor')
local cursor = lease[3] or '0-0'
if (lease[1] and tonumber(lease[2]) > now) or above(cursor, ARGV[1]) then
  return 0
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  if #redis.call('XRANGE', KEYS[2], '(' .. cursor, '+', 'COUNT', 1) > 0 then
    return 0
  end
  local added, last = 0, '0-0'
  local stream = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #stream, 2 do
    if stream[i] == 'entries-added' then
      added = stream[i + 1]
    elseif stream[i] == 'last-generated-id' then
      last = stream[i + 1]
    end
  end
  if above(last, ARGV[1]) then
    return 0
  end
  redis.call('XSETID', KEYS[2], ARGV[1], 'ENTRIESADDED', math.max(added, 1), 'MAXDELETEDID', ARGV[1])
else
  redis.call('XADD', KEYS[2], ARGV[1], 'm', '')
  redis.call('XDEL', KEYS[2], ARGV[1])
end
redis.call('HSET', KEYS[1], 'cursor', ARGV[1])
return 1
