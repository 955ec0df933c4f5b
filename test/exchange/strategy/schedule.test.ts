import { expect } from 'chai';
import { isTimezone, localTime, parseDays, parseHours } from '#exchange/strategy/schedule';

const list = (set: ReadonlySet<number> | null) => (set === null ? null : [...set].sort((a, b) => a - b));

describe('exchange/strategy/schedule', () => {
  const hours: readonly [string | number[], number[] | null][] = [
    ['18-23', [18, 19, 20, 21, 22, 23]],
    ['22-2', [0, 1, 2, 22, 23]],
    ['9', [9]],
    ['9, 12-13', [9, 12, 13]],
    ['08-09', [8, 9]],
    [
      [1, 23],
      [1, 23],
    ],
    ['24', null],
    ['', null],
    ['9-', null],
    ['1-2-3', null],
    ['9:30', null],
    [[], null],
  ];
  for (const [given, expected] of hours) {
    it(`hours ${JSON.stringify(given)}`, () => expect(list(parseHours(given))).to.deep.equal(expected));
  }

  const days: readonly [string | string[], number[] | null][] = [
    ['mon,tue', [0, 1]],
    ['fri-mon', [0, 4, 5, 6]],
    ['Saturday', [5]],
    [
      ['SUN', 'wed'],
      [2, 6],
    ],
    ['mon,', null],
    ['1', null],
  ];
  for (const [given, expected] of days) {
    it(`days ${JSON.stringify(given)}`, () => expect(list(parseDays(given))).to.deep.equal(expected));
  }

  it('tells hour and day on the clock of a zone, over midnight and changes of the clock', () => {
    const at = (text: string, zone: string) => localTime(Date.parse(text), zone);
    expect(at('2026-03-01T22:30:00Z', 'UTC')).to.deep.equal({ hour: 22, day: 6 });
    expect(at('2026-03-01T22:30:00Z', 'Asia/Dubai')).to.deep.equal({ hour: 2, day: 0 });
    expect(at('2026-03-01T00:00:00Z', 'America/New_York')).to.deep.equal({ hour: 19, day: 5 });
    expect(at('2026-03-08T06:59:00Z', 'America/New_York')).to.deep.equal({ hour: 1, day: 6 });
    expect(at('2026-03-08T07:00:00Z', 'America/New_York')).to.deep.equal({ hour: 3, day: 6 });
    expect(at('2026-03-01T00:10:00Z', 'Asia/Kathmandu')).to.deep.equal({ hour: 5, day: 6 });
  });

  it('knows zones from other words', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) expect(isTimezone(zone), zone).to.equal(true);
    for (const zone of ['', 'Berlin', 'Mars/Base', 'UTC+1:00:00']) expect(isTimezone(zone), zone).to.equal(false);
  });

  it('makes one clock for a time zone, in however many ways it is spelt', () => {
    const { DateTimeFormat } = Intl;
    let made = 0;
    const construct = (target: typeof DateTimeFormat, [...given]: ConstructorParameters<typeof DateTimeFormat>) => {
      made++;
      return new target(...given);
    };
    Intl.DateTimeFormat = new Proxy(DateTimeFormat, { construct });
    try {
      for (const zone of ['Asia/Katmandu', 'asia/katmandu', 'ASIA/KATMANDU', 'AsIa/KaTmAnDu']) {
        expect(localTime(0, zone)).to.deep.equal({ hour: 5, day: 3 });
      }
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    expect(made).to.equal(1);
  });
});
