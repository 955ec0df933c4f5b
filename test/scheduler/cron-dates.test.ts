import { expect } from 'chai';
import { cronDates } from '../../scheduler/cron-dates.ts';

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function following(cron: string, from: string, count: number): (string | null)[] {
  const dates = cronDates(cron);
  const found: (string | null)[] = [];
  for (let ms: number | null = at(from); found.length < count && ms !== null; ) {
    ms = dates.after(ms);
    found.push(iso(ms));
  }
  return found;
}

describe('scheduler/cron-dates', () => {
  it('come after an instant, never at it', () => {
    const midnight = cronDates('0 0 * * *');
    expect(iso(midnight.after(at('2027-03-04T00:00:00.000Z')))).to.equal('2027-03-05T00:00:00.000Z');
    expect(iso(midnight.after(at('2027-03-03T23:59:59.999Z')))).to.equal('2027-03-04T00:00:00.000Z');
    expect(iso(midnight.after(at('2027-03-03T23:59:59.001Z')))).to.equal('2027-03-04T00:00:00.000Z');
  });

  it('are the latest at an instant, or before it', () => {
    const midnight = cronDates('0 0 * * *');
    expect(iso(midnight.latest(at('2027-03-04T00:00:00.000Z')))).to.equal('2027-03-04T00:00:00.000Z');
    expect(iso(midnight.latest(at('2027-03-04T00:00:00.001Z')))).to.equal('2027-03-04T00:00:00.000Z');
    expect(iso(midnight.latest(at('2027-03-03T23:59:59.999Z')))).to.equal('2027-03-03T00:00:00.000Z');
  });

  it('know the leap day, and that 2100 has none', () => {
    expect(following('0 0 * * *', '2028-02-28T00:00:00Z', 2)).to.deep.equal([
      '2028-02-29T00:00:00.000Z',
      '2028-03-01T00:00:00.000Z',
    ]);
    expect(following('30 3 29 2 *', '2027-01-01T00:00:00Z', 2)).to.deep.equal([
      '2028-02-29T03:30:00.000Z',
      '2032-02-29T03:30:00.000Z',
    ]);
    expect(following('0 0 * * *', '2100-02-28T00:00:00Z', 1)).to.deep.equal(['2100-03-01T00:00:00.000Z']);
  });

  it('know how long months are, and where the year ends', () => {
    expect(following('5 0 1 * *', '2026-11-15T00:00:00Z', 4)).to.deep.equal([
      '2026-12-01T00:05:00.000Z',
      '2027-01-01T00:05:00.000Z',
      '2027-02-01T00:05:00.000Z',
      '2027-03-01T00:05:00.000Z',
    ]);
    expect(following('0 12 31 * *', '2026-12-30T00:00:00Z', 3)).to.deep.equal([
      '2026-12-31T12:00:00.000Z',
      '2027-01-31T12:00:00.000Z',
      '2027-03-31T12:00:00.000Z',
    ]);
  });

  it('are refused where the expression is none', () => {
    for (const cron of ['', '0 0 * *', '0 0 0 * * *', '61 * * * *', '* * * * mon-zon', '@every 5 minutes'])
      expect(() => cronDates(cron), cron).to.throw();
  });

  it('are the same whatever was asked before', () => {
    const quarters = cronDates('*/15 * * * *');
    const from = at('2027-03-04T00:00:00.000Z');
    let state = 1;
    for (let asked = 0; asked < 2_000; asked++) {
      state = (state * 48_271) % 2_147_483_647;
      const ms = from + (state % (3 * 3_600_000));
      expect(quarters.latest(ms)).to.equal(Math.floor(ms / 900_000) * 900_000);
      expect(quarters.after(ms)).to.equal((Math.floor(ms / 900_000) + 1) * 900_000);
    }
    const once = cronDates('30 3 29 2 *');
    for (const [ms, latest] of [
      ['2028-02-29T03:29:59.999Z', '2024-02-29T03:30:00.000Z'],
      ['2028-02-29T03:30:00.000Z', '2028-02-29T03:30:00.000Z'],
      ['2028-02-29T03:29:00.000Z', '2024-02-29T03:30:00.000Z'],
    ] as const)
      expect(iso(once.latest(at(ms)))).to.equal(latest);
  });

  it('agree with counting minutes, over a year', () => {
    // Every quarter of an hour from seven to nine, on the 13th and on Fridays.
    const dates = cronDates('*/15 7-8 13 * 5');
    const holds = (ms: number) => {
      const date = new Date(ms);
      const [minute, hour] = [date.getUTCMinutes(), date.getUTCHours()];
      return minute % 15 === 0 && hour >= 7 && hour <= 8 && (date.getUTCDate() === 13 || date.getUTCDay() === 5);
    };
    let next = dates.after(at('2027-12-31T23:59:00Z'));
    for (let ms = at('2028-01-01T00:00:00Z'); ms < at('2029-01-01T00:00:00Z'); ms += 60_000) {
      if (!holds(ms)) continue;
      expect(iso(next)).to.equal(iso(ms));
      expect(dates.latest(ms + 30_000)).to.equal(ms);
      next = dates.after(ms);
    }
  });
});
