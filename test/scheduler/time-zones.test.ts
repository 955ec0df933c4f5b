import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const process_ = fileURLToPath(new URL('./dates-process.js', import.meta.url));

/** Where clocks are put forward and back, at midnight too, by half an hour too, and a day was left out. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
];

describe('scheduler: the machine’s time zone', () => {
  const datesIn = async (zone: string): Promise<string> => {
    const { stdout } = await run(process.execPath, [process_], { env: { ...process.env, TZ: zone } });
    return stdout;
  };

  it('changes no date, whenever clocks are put forward or back', async () => {
    const inUtc = await datesIn('UTC');
    expect(inUtc.split('\n').length).to.be.above(1_000);
    for (const zone of ZONES) {
      const [named, ...dates] = (await datesIn(zone)).split('\n');
      expect(named, 'the zone is the process’s').to.equal(zone);
      expect(dates.join('\n'), zone).to.equal(inUtc.split('\n').slice(1).join('\n'));
    }
  });
});
