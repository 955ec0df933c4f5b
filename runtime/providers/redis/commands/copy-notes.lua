#!lua
-- Adds notes of provisional messages that another partition remembers to those of the same hour of issue.
--
-- KEYS[1]  the notes by id
-- ARGV[1]  time at which the notes may be forgotten, ms since the epoch; a later one of the key is kept. '' for never
-- ARGV[2…] two for each note: id, note; the note that the key has of an id stands
--
-- Returns the number of new ones.
local added = 0
for i = 2, #ARGV, 2 do
  added = added + redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
end
if ARGV[1] ~= '' and redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[1])
end
return added
