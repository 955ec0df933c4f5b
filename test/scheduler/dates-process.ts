import { cronDates } from '../../scheduler/cron-dates.ts';

// Prints the zone that this process is in, then two years of dates of some expressions, forwards and backwards.
const from = Date.parse('2027-01-01T00:00:00Z');
const to = Date.parse('2029-01-01T00:00:00Z');
const lines = [Intl.DateTimeFormat().resolvedOptions().timeZone];
for (const cron of ['0 0 * * *', '30 2 * * *', '5 0 1 * *', '0 */6 * * 0']) {
  const dates = cronDates(cron);
  for (let ms = dates.after(from); ms !== null && ms < to; ms = dates.after(ms)) {
    lines.push(`${cron} ${new Date(ms).toISOString()} ${dates.latest(ms + 1) === ms}`);
  }
}
process.stdout.write(lines.join('\n'));
