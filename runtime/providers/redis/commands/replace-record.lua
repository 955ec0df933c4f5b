-- Replaces a record, if its version is as expected. A record is its version, a line feed and its text.
--
-- KEYS[1]  records of a group
-- ARGV[1]  id
-- ARGV[2]  the version expected; '' for no record
-- ARGV[3]  the new record; '' removes it
--
-- Returns 1, or 0 when the version is another.
local record = redis.call('HGET', KEYS[1], ARGV[1])
local version = record and string.match(record, '^([^\n]*)\n') or ''
if version ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
