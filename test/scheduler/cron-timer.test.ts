import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SILENT } from '../../runtime/node/logger.ts';
import { startBreeTimer } from '../../scheduler/cron-timer.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);

describe('scheduler/cron-timer', () => {
  it('rings at each date, again and again, and not after it is closed', async () => {
    let rings = 0;
    const names = new Set<string>();
    const alarm = await startBreeTimer(
      [
        { name: 'every-second', cron: '* * * * * *' },
        { name: 'once-in-four-years', cron: '0 0 29 2 *' },
      ],
      (name) => {
        rings += 1;
        names.add(name);
      },
      SILENT,
    );
    await eventually('the second ring', () => rings >= 2, { timeoutMs: 60_000 });
    await alarm.close();
    const rung = rings;
    expect([...names]).to.deep.equal(['every-second']);
    const other = await startBreeTimer([{ name: 'every-second', cron: '* * * * * *' }], () => {}, SILENT);
    await other.close();
    expect(rings).to.equal(rung);
  });

  it('keeps to UTC in a machine of another time zone, and keeps no process from ending', async () => {
    const path = fileURLToPath(new URL('./cron-timer-process.js', import.meta.url));
    const { stdout } = await run(process.execPath, [path], {
      env: { ...process.env, TZ: 'Pacific/Kiritimati' },
      timeout: 20_000,
    });
    expect(stdout).to.match(/^woken\n/);
  });
});
