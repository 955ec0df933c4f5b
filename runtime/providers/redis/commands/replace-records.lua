-- Replaces each of some records, if its version is as expected. A record is its version, a line feed and its text.
--
-- KEYS[1]  records of a group
-- ARGV[1…] three for each record: id; the version expected, '' for no record; the new record, '' removes it
--
-- Returns for each record 1, or 0 when its version is another.
local replaced = {}
for i = 1, #ARGV, 3 do
  local record = redis.call('HGET', KEYS[1], ARGV[i])
  local version = record and string.match(record, '^([^\n]*)\n') or ''
  if version ~= ARGV[i + 1] then
    replaced[#replaced + 1] = 0
  else
    if ARGV[i + 2] == '' then
      redis.call('HDEL', KEYS[1], ARGV[i])
    else
      redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2])
    end
    replaced[#replaced + 1] = 1
  end
end
return replaced
