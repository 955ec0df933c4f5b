import { SILENT } from '../../runtime/node/logger.ts';
import { startBreeTimer } from '../../scheduler/cron-timer.ts';

// Rings each second of this hour and the next, UTC, and of no other; says so once, closes, and ends by itself.
const hour = new Date().getUTCHours();
const alarm = await startBreeTimer(
  [{ name: 'every-second', cron: `0-59 * ${hour},${(hour + 1) % 24} * * *` }],
  () => {
    process.stdout.write('woken\n');
    void alarm.close();
  },
  SILENT,
);
