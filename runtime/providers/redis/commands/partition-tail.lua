#!lua flags=no-writes
-- Reads the highest id ever assigned in a partition, its number of entries, the number ever added, and the time.
--
-- KEYS[1]  stream of the partition
--
-- Returns {id, length, added, ms since the epoch}; {'0-0', 0, 0, …} where there is no stream. A script, because XINFO STREAM
-- by itself also sends the first and the last entry whole.
local time = redis.call('TIME')
local nowMs = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[1]) == 0 then
  return { '0-0', 0, 0, nowMs }
end
local found = {}
local stream = redis.call('XINFO', 'STREAM', KEYS[1])
for i = 1, #stream, 2 do
  found[stream[i]] = stream[i + 1]
end
return { found['last-generated-id'], found['length'], found['entries-added'], nowMs }
