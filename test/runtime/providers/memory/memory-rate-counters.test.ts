import { createMemoryRateCounters } from '#runtime/providers/memory/memory-rate-counters';
import { systemClock } from '#runtime/providers/system/system-clock';
import { ratesContract } from '../../rate-counters.contract.ts';

ratesContract('memory', async () => {
  const rates = createMemoryRateCounters(systemClock);
  return { rates, close: () => rates.close() };
});
