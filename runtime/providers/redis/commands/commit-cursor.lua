#!lua flags=allow-oom
-- Moves a partition's cursor forward and trims the entries at or below it, if the epoch still holds. Law 1: only
-- this script removes entries from the log, and a stale owner cannot.
--
-- KEYS[1]  lease of the partition
-- KEYS[2]  stream of the partition
-- ARGV[1]  epoch
-- ARGV[2]  time half of the new cursor
-- ARGV[3]  sequence half of the new cursor
-- ARGV[4]  the id right above it, the lowest that trimming keeps
-- ARGV[5]  the store's token of that cursor, or nothing; the newer of it and the stored token is kept
--
-- Returns 1, or 0 when the epoch is stale (nothing is changed). A cursor below the present one changes nothing.
-- It works when memory is short, as all scripts of leases do, because trimming frees memory.
local lease = redis.call('HMGET', KEYS[1], 'epoch', 'cursor', 'token')
if lease[1] ~= ARGV[1] then
  return 0
end
if string.sub(ARGV[5], 1, 16) > string.sub(lease[3] or '', 1, 16) then
  redis.call('HSET', KEYS[1], 'token', ARGV[5])
end
local heldTime, heldSequence = string.match(lease[2] or '0-0', '(%d+)-(%d+)')
local time, sequence = tonumber(ARGV[2]), tonumber(ARGV[3])
heldTime, heldSequence = tonumber(heldTime), tonumber(heldSequence)
if time > heldTime or (time == heldTime and sequence > heldSequence) then
  redis.call('HSET', KEYS[1], 'cursor', ARGV[2] .. '-' .. ARGV[3])
  redis.call('XTRIM', KEYS[2], 'MINID', '=', ARGV[4])
end
return 1
