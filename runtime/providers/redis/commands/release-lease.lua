#!lua flags=allow-oom
-- Releases the lease of a partition, if the epoch is current. The epoch is kept, so that the next one is higher.
--
-- KEYS[1]  lease of the partition
-- ARGV[1]  epoch
--
-- Returns 1, or 0 when the epoch is stale.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'owner', 'expires')
return 1
