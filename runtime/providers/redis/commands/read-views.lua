#!lua flags=no-writes
-- Reads the entries of the catalogue log above a number, oldest first.
--
-- KEYS[1]  catalogue stream
-- KEYS[2]  number of the newest entry
-- ARGV[1]  the number
-- ARGV[2]  the number plus one
-- ARGV[3]  maximum number of entries
--
-- Returns stream entries; only the newest when the log is below the number.
local newest = tonumber(redis.call('GET', KEYS[2]) or '0')
if newest < tonumber(ARGV[1]) then
  return redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
end
if newest == tonumber(ARGV[1]) then
  return {}
end
return redis.call('XRANGE', KEYS[1], ARGV[2] .. '-0', '+', 'COUNT', ARGV[3])
