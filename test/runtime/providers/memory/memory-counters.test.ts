import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';
import { systemClock } from '#runtime/providers/system/system-clock';
import { countersContract } from '../../counters.contract.ts';

countersContract('memory', async () => {
  const counters = createMemoryCounters(systemClock);
  return { counters, close: () => counters.close() };
});
