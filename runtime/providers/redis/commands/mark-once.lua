#!lua
-- Sets each mark beside the id of its message, unless it is set already or the id was not seen, in order.
--
-- KEYS[1]  ids seen, of one hour of issue
-- KEYS[2]  ids seen, of another hour (or the same key again)
-- ARGV     three for each mark: 1 or 2 (which key remembers the id), id, mark
--
-- Answers for each mark 1 set, 0 set before, -1 the id was not seen.
-- Marks lie among the ids and are forgotten with them; ids hold no spaces.
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
