import { openMemoryRates } from '../../../../runtime/providers/memory/memory-rates.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { ratesContract } from '../../rates.contract.ts';

ratesContract('memory', async () => {
  const rates = openMemoryRates(systemClock);
  return { rates, close: () => rates.close() };
});
