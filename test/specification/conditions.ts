/**
 * For each operator: a field, a value with which its condition holds of `DRAMA_ON_CTV`, and one with which it does not.
 */
export const OPERATORS: Readonly<Record<string, readonly [field: string, holds: string, fails: string]>> = {
  eq: ['device.devicetype', '3', '4'],
  neq: ['device.devicetype', '4', '3'],
  in: ['device.devicetype', '1, 3', '1, 33'],
  not_in: ['device.devicetype', '1, 33', '1, 3'],
  gt: ['device.devicetype', '2', '3'],
  gte: ['device.devicetype', '3', '10'],
  lt: ['device.devicetype', '10', '3'],
  lte: ['device.devicetype', '3', '2'],
  contains: ['content.genre', 'ram', 'rom'],
  starts_with: ['content.genre', 'dra', 'ram'],
  exists: ['content.genre', 'true', 'false'],
};

/** What the conditions are about, as simulated auctions and ad requests have it. */
export const DRAMA_ON_CTV = {
  device: { devicetype: 3, geo: { country: 'ARE', city: 'Dubai' } },
  content: { genre: 'drama' },
};

/**
 * Times of `targeting` and `schedule`, and whether they are now; so that the turn of an hour or of a day changes
 * nothing.
 */
export function timesAroundNow(): readonly (readonly [time: object, isNow: boolean])[] {
  const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const today = new Date().getUTCDay();
  const day = (later: number) => DAYS[(today + later) % 7];
  /** This hour and the next. */
  const now = (offsetHours: number) => [0, 1].map((later) => (new Date().getUTCHours() + offsetHours + later) % 24);
  const others = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !now(0).includes(hour));
  return [
    [{ hours: now(0).join(',') }, true],
    [{ hours: others.join(',') }, false],
    [{ hours: now(4).join(','), timezone: 'Asia/Dubai' }, true],
    [{ hours: now(0).join(','), timezone: 'Asia/Dubai' }, false],
    [{ days: 'mon-sun' }, true],
    [{ days: [day(0), day(1)].join(',') }, true],
    [{ days: [2, 3, 4].map(day).join(',') }, false],
  ];
}
