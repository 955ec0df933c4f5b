import { createMemoryCounters } from '../../../../runtime/providers/memory/memory-counters.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { countersContract } from '../../counters.contract.ts';

countersContract('memory', async () => {
  const counters = createMemoryCounters(systemClock);
  return { counters, close: () => counters.close() };
});
