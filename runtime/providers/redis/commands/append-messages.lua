#!lua
-- Appends messages to a partition, all or none, contiguous and in order.
--
-- KEYS[1]  stream of the partition
-- ARGV[1]  number of entries from which on the partition refuses appends; '' for no bound
-- ARGV[2…] payloads
--
-- Returns the ids in order, or nil when the bound is reached (nothing is appended).
-- When memory is short, Redis refuses the script before it begins.
if ARGV[1] ~= '' and redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then
  return false
end
local ids = {}
for i = 2, #ARGV do
  ids[i - 1] = redis.call('XADD', KEYS[1], '*', 'm', ARGV[i])
end
return ids
