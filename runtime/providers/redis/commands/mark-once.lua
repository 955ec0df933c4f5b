#!lua
-- Sets each mark beside the id of its message, in order, unless it is set already or the id is unknown.
--
-- KEYS[1]  ids seen, of one hour of issue
-- KEYS[2]  ids seen, of another hour (or the same key again)
-- ARGV     three for each mark: 1 or 2 (the key that stores the id), id, mark
--
-- Returns for each mark 1 (set), 0 (set before) or -1 (the id is unknown).
-- Marks are stored among the ids and expire with them; ids contain no spaces.
local outcomes = {}
for i = 1, #ARGV, 3 do
  local key = KEYS[tonumber(ARGV[i])]
  local outcome = -1
  if redis.call('SISMEMBER', key, ARGV[i + 1]) == 1 then
    outcome = redis.call('SADD', key, ARGV[i + 1] .. ' ' .. ARGV[i + 2])
  end
  outcomes[#outcomes + 1] = outcome
end
return outcomes
