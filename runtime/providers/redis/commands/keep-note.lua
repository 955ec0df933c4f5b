#!lua flags=allow-oom
-- Keeps a note beside a partition's cursor, if the epoch still holds.
--
-- KEYS[1]  lease of the partition
-- ARGV[1]  epoch
-- ARGV[2]  the note
--
-- Answers 1, or 0 when the epoch is stale.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'note', ARGV[2])
return 1
