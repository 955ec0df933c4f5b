export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/**
 * The scope of a ledger: whose books it holds. An account's ledgers hold the live sales of its publishers; there are
 * none for its sandbox.
 */
export type LedgerScope = 'publisher' | 'dsp' | 'campaign' | 'account' | 'platform';

/** The owner id of the platform's ledgers. */
export const PLATFORM_OWNER_ID = 'exchange';

export const HOUR_MS = 3_600_000;

/**
 * The id of the ledger of a day: `<scope>:<owner id>:<UTC day>`, followed by `:sandbox` for trades in the sandbox. Live
 * and sandbox are different actors, so they cannot mix: a source that leaves the sandbox leaves its sandbox figures
 * there, and flushing the sandbox never touches money.
 *
 * `sandboxGeneration` is the number of flushes of the source's sandbox (for a campaign: of its DSP's); each flush
 * begins other ledgers, `:sandbox.1`, `:sandbox.2` … The platform's sandbox books are never flushed: their generation
 * is always 0.
 */
export function ledgerId(
  scope: LedgerScope,
  ownerId: string,
  atMs: number,
  sandbox: boolean,
  sandboxGeneration = 0,
): string {
  return idOf(scope, ownerId, utcDay(atMs), sandbox, sandboxGeneration);
}

/**
 * The id of the ledger of an hour: that of its day, with the hour after the day: `<scope>:<owner id>:<UTC day>T<hh>`.
 * Everything is booked in ledgers of hours; those of days receive them when they are over.
 */
export function hourLedgerId(
  scope: LedgerScope,
  ownerId: string,
  atMs: number,
  sandbox: boolean,
  sandboxGeneration = 0,
): string {
  return idOf(scope, ownerId, utcHour(atMs), sandbox, sandboxGeneration);
}

function idOf(scope: LedgerScope, ownerId: string, time: string, sandbox: boolean, sandboxGeneration: number): string {
  const id = `${scope}:${encodeURIComponent(ownerId)}:${time}`;
  if (!sandbox) return id;
  return sandboxGeneration === 0 ? `${id}:sandbox` : `${id}:sandbox.${sandboxGeneration}`;
}

/** The parts of a ledger's id. */
export interface LedgerIdParts {
  readonly scope: LedgerScope;
  readonly whose: string;
  /** UTC, `yyyy-mm-dd`. */
  readonly day: string;
  /** The hour of the day, UTC; null in the ledger of a day. */
  readonly hour: number | null;
  readonly sandbox: boolean;
  /** 0 for live ledgers. */
  readonly sandboxGeneration: number;
}

export function parseLedgerId(id: string): LedgerIdParts {
  const [scope, ownerId = '', time = '', sandbox] = id.split(':');
  return {
    scope: scope as LedgerScope,
    whose: decodeURIComponent(ownerId),
    day: time.slice(0, DAY_LENGTH),
    hour: time.length > DAY_LENGTH ? Number(time.slice(DAY_LENGTH + 1)) : null,
    sandbox: sandbox !== undefined,
    sandboxGeneration: Number(sandbox?.split('.')[1] ?? 0),
  };
}

/** The day in a ledger's id, `yyyy-mm-dd`. */
export function dayOfLedger(id: string): string {
  return (id.split(':')[2] ?? '').slice(0, DAY_LENGTH);
}

/** The hour of the day of the ledger of an hour; null in the ledger of a day. */
export function hourOfLedger(id: string): number | null {
  const time = id.split(':')[2] ?? '';
  return time.length > DAY_LENGTH ? Number(time.slice(DAY_LENGTH + 1)) : null;
}

/** The id of the ledger of the day that an hour's ledger belongs to; a day's own id. */
export function dayLedgerId(id: string): string {
  const [scope, ownerId, time = '', sandbox] = id.split(':');
  const day = `${scope}:${ownerId}:${time.slice(0, DAY_LENGTH)}`;
  return sandbox === undefined ? day : `${day}:${sandbox}`;
}

/** The id of the ledger of an hour of the day whose ledger is `dayId`. */
export function hourLedgerIdOf(dayId: string, hour: number): string {
  const [scope, ownerId, day, sandbox] = dayId.split(':');
  const id = `${scope}:${ownerId}:${day}T${twoDigits(hour)}`;
  return sandbox === undefined ? id : `${id}:${sandbox}`;
}

/**
 * The key by which a ledger is found by its age. Ledgers of days: `live/<UTC day>` or `sandbox/<UTC day>`; ledgers of
 * hours, live or not: `hour/<UTC day>T<hh>`, and `filed-hour/…` once their day has been told. The times of each sort as
 * text.
 */
export function ledgerAgeKey(id: string): string {
  const [, , time = '', sandbox] = id.split(':');
  if (time.length > DAY_LENGTH) return `hour/${time}`;
  return `${sandbox === undefined ? 'live' : 'sandbox'}/${time}`;
}

/** The key by which the ledger of an hour is found that is closed. */
export function closedHourKey(id: string): string {
  return `filed-${ledgerAgeKey(id)}`;
}

/** The key by which the minutes of the ledger of an hour are found by their age. */
export function minutesAgeKey(id: string): string {
  const [, , time = ''] = id.split(':');
  return `minutes/${time}`;
}

/** The length of `yyyy-mm-dd`. */
const DAY_LENGTH = 10;

/** `yyyy-mm-ddThh` of an instant, UTC. */
export function utcHour(atMs: number): string {
  return `${utcDay(atMs)}T${twoDigits(Math.floor((atMs % DAY_MS) / HOUR_MS))}`;
}

function twoDigits(hour: number): string {
  return hour < 10 ? `0${hour}` : `${hour}`;
}

/** The last result: the day is needed with every impression and changes once a day. */
let lastDay = { number: -1, text: '' };

/** `yyyy-mm-dd`. */
export function utcDay(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  if (number !== lastDay.number) lastDay = { number, text: new Date(atMs).toISOString().slice(0, 10) };
  return lastDay.text;
}
