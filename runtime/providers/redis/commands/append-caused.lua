#!lua flags=allow-oom
-- Appends messages that the handling of others has caused, all or none, contiguous and in order, even when memory is short: until
-- they are in the log nothing can be trimmed, and trimming is what frees memory.
--
-- KEYS[1]  stream of the partition
-- ARGV     payloads
--
-- Returns the ids in order.
local ids = {}
for i = 1, #ARGV do
  ids[i] = redis.call('XADD', KEYS[1], '*', 'm', ARGV[i])
end
return ids
