#!lua flags=allow-oom
-- Stores a note beside a partition's cursor, if the epoch is current.
--
-- KEYS[1]  lease of the partition
-- ARGV[1]  epoch
-- ARGV[2]  the note
--
-- Returns 1, or 0 when the epoch is stale.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'note', ARGV[2])
return 1
