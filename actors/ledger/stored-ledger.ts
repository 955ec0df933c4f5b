import type { AtRest } from '../../runtime/actor/define-actor.ts';
import { positionTimeMs } from '../../runtime/actor/position.ts';
import { MINUTE_MS } from './ledger-id.ts';
import { namesOf, namesText } from './names-text.ts';
import { packPage, unpackPage } from './packed-page.ts';
import type { LedgerPage } from './page-schema.ts';
import type { LedgerState } from './state.ts';

type Pages = Readonly<Record<string, LedgerPage | string>>;
type OpenMinute = LedgerState['open'][string];

/** A ledger as documents hold it: all pages packed, and the table of names as one text. */
type StoredLedger = Omit<LedgerState, 'names' | 'days' | 'hours' | 'open'> & {
  readonly names: string;
  readonly days: Readonly<Record<string, string>>;
  readonly hours: Readonly<Record<string, string>>;
  readonly open: Readonly<Record<string, string>>;
};

export const ledgerAtRest: AtRest<LedgerState> = {
  pack: packLedger,
  unpack: (stored) => unpackLedger(stored as Partial<StoredLedger>) as LedgerState,
};

/** Names that were in no packed page before are added to the table of `state`. */
function packLedger(state: LedgerState): StoredLedger {
  const { days, hours, minutes, open, names, ...rest } = state;
  const packed = {
    days: packPages(days, names),
    hours: packPages(hours, names),
    minutes: packPages(minutes, names),
    open: Object.fromEntries(Object.entries(open).map(([partition, minute]) => [partition, packOpen(minute)])),
  };
  return { ...rest, ...packed, names: namesText(names) };
}

/**
 * The fields of a ledger that were read, as handlers have them; the table of names must be among them where pages are.
 * Also takes what an earlier release has stored.
 */
export function unpackLedger(stored: unknown): Partial<LedgerState> {
  const { names, days, hours, open, ...rest } = stored as Partial<StoredLedger>;
  const unpacked: Partial<LedgerState> = rest;
  const table = typeof names === 'string' ? namesOf(names) : (names ?? []);
  if (names !== undefined) unpacked.names = table;
  if (days !== undefined) unpacked.days = unpackPages(days, table);
  if (hours !== undefined) unpacked.hours = unpackPages(hours, table);
  if (open !== undefined) {
    const minutes = Object.entries<OpenMinute | string>(open);
    unpacked.open = Object.fromEntries(
      minutes.map(([partition, minute]) => [partition, typeof minute === 'string' ? unpackOpen(minute) : minute]),
    );
  }
  return unpacked;
}

/** The fields that must be read so that these can be unpacked. */
export function fieldsToUnpack(fields: readonly string[]): string[] {
  const packed = fields.some((field) => field === 'days' || field === 'hours' || field === 'minutes');
  return packed ? [...new Set([...fields, 'names'])] : [...fields];
}

function packPages(pages: Pages, names: string[]): Record<string, string> {
  const packed: Record<string, string> = {};
  for (const index in pages) {
    const page = pages[index]!;
    packed[index] = typeof page === 'string' ? page : packPage(page, names);
  }
  return packed;
}

function unpackPages(pages: Pages, names: readonly string[]): Record<string, LedgerPage> {
  const unpacked: Record<string, LedgerPage> = {};
  for (const index in pages) {
    const page = pages[index]!;
    unpacked[index] = typeof page === 'string' ? unpackPage(page, names) : page;
  }
  return unpacked;
}

/**
 * The newest minute of a partition in one line: version, minutes after that of the version, windows by their minutes
 * after the minute, and the packed page.
 *
 *     1894705162959-61 0 -4=1,1532717 fra|1,1532717,229908|||89=|
 */
function packOpen({ minuteMs, version, slots = [], packed }: OpenMinute): string {
  const minute = minuteMs / MINUTE_MS;
  const windows = slots.map(
    ({ slotMs, impressions, grossNanos }) => `${slotMs / MINUTE_MS - minute}=${impressions},${grossNanos}`,
  );
  return [version, minute - minuteOf(version), windows.join('&'), packed].join(' ');
}

function unpackOpen(line: string): OpenMinute {
  const [version, after, windows, packed] = line.split(' ') as [string, string, string, string];
  const minute = minuteOf(version) + Number(after);
  const slots = windows === '' ? [] : windows.split('&').map((window) => unpackWindow(window, minute));
  return { minuteMs: minute * MINUTE_MS, version, packed, ...(slots.length > 0 ? { slots } : {}) };
}

function unpackWindow(window: string, minute: number) {
  const [after, impressions, grossNanos] = window.split(/[=,]/).map(Number) as [number, number, number];
  return { slotMs: (minute + after) * MINUTE_MS, impressions, grossNanos };
}

function minuteOf(version: string): number {
  return Math.floor(positionTimeMs(version) / MINUTE_MS);
}
