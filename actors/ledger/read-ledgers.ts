import { facts } from '../facts/facts.ts';
import { factsMinutes, ledgerMinutes } from '../ledger-minutes/ledger-minutes.ts';
import type { LedgerMinutesState } from '../ledger-minutes/state.ts';
import { watermarkMsOf } from '../watermark/read-watermark.ts';
import { FILED_FACT_HOURS_ID, FILED_HOURS_ID, watermark } from '../watermark/watermark.ts';
import { closedHourOf, fileHour, isFiled } from './closed-hours.ts';
import { ledger } from './ledger.ts';
import { DAY_MS, dayLedgerId, HOUR_MS, hourLedgerIdOf, hourOfLedger, ledgerId } from './ledger-id.ts';
import { namesOf } from './names-text.ts';
import { unpackPage } from './packed-page.ts';
import { addPage, UNLIMITED_ROWS } from './page.ts';
import { emptyLedger } from './reduce.ts';
import type { LedgerOwner, ReportWindow } from './report/period.ts';
import { fieldsFor, type LedgerPages, type StoredLedger } from './report/sum-ledgers.ts';
import type { LedgerState } from './state.ts';
import { fieldsToUnpack, unpackLedger } from './stored-ledger.ts';

/** The part of a state store that reading needs. */
export interface LedgerReads {
  load(
    keys: readonly { readonly kind: string; readonly id: string }[],
    fields?: readonly string[],
  ): Promise<readonly ({ readonly id: string; readonly deleted: boolean; readonly state: unknown } | null)[]>;
}

/** The ledgers of an owner for the hours that `fromMs` ≤ t < `toMs` touches, and for the whole days of `days`. */
export interface LedgerStretch {
  readonly owner: LedgerOwner;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The number of documents of one load, so that a report over many sources and days is read in parts. */
const AT_ONCE = 500;

/**
 * The kinds of documents that a report adds up, with the id of the watermark of their hours: those of all earlier times
 * are in the documents of their days. Ledgers have all money; they have counts too, unless these have a log of their
 * own.
 */
const LEDGERS = { kind: ledger.kind, minutesKind: ledgerMinutes.kind, filedHoursId: FILED_HOURS_ID } as const;
const FACTS = { kind: facts.kind, minutesKind: factsMinutes.kind, filedHoursId: FILED_FACT_HOURS_ID } as const;
type ReadKind = typeof LEDGERS | typeof FACTS;

/**
 * Reads the ledgers and the counts of these stretches as far as they exist, with only the pages that the window needs.
 * What is returned says everything once: the ledger of a day says what it has received, those of its other hours say
 * the rest, and counts say what ledgers do not.
 * @param nowMs the present, ms since the epoch: spares asking for hours to come
 */
export async function readLedgerPages(
  store: LedgerReads,
  owners: readonly LedgerOwner[],
  window: ReportWindow,
  nowMs: number = Number.POSITIVE_INFINITY,
): Promise<LedgerPages[]> {
  const { fromMs, grain } = window;
  // Clocks of edges and of the log may be ahead.
  const toMs = Math.min(window.toMs, nowMs + HOUR_MS);
  const stretches = owners.map((owner) => ({ owner, fromMs, toMs }));
  const read = grain.name === 'minutes' ? readMinutes : readHoursAndDays;
  const ledgers = await read(store, LEDGERS, stretches, fieldsFor(window));
  const [ownLog] = await store.load([{ kind: watermark.kind, id: FACTS.filedHoursId }]);
  if (!ownLog) return ledgers;
  return [...ledgers, ...(await read(store, FACTS, stretches, fieldsFor(window)))];
}

/** Reads the ledgers of these stretches, and so all money, with these fields of the states, or all of them. */
export function readLedgers(
  store: LedgerReads,
  stretches: readonly LedgerStretch[],
  fields?: readonly (keyof LedgerState)[],
): Promise<LedgerPages[]> {
  return readHoursAndDays(store, LEDGERS, stretches, fields);
}

/**
 * Documents of days are read first: an hour that moves into its day meanwhile is still in its own.
 */
async function readHoursAndDays(
  store: LedgerReads,
  of: ReadKind,
  stretches: readonly LedgerStretch[],
  fields?: readonly (keyof LedgerState)[],
): Promise<LedgerPages[]> {
  const [filedThrough] = await store.load([{ kind: watermark.kind, id: of.filedHoursId }]);
  const filedThroughMs = watermarkMsOf(filedThrough);
  const dayFields = fields && ([...new Set([...fields, 'filed'])] as (keyof LedgerState)[]);
  const days = await loadAll(store, of, dayIds(stretches), dayFields);
  const overflown = days.filter(({ state: { daysOverflown, hours } }) => daysOverflown && hours === undefined);
  if (overflown.length > 0) {
    const ids = overflown.map(({ id }) => id);
    const whole = await loadAll(store, of, ids, [...(dayFields ?? []), 'hours']);
    const byId = new Map(whole.map((ledgerOfDay) => [ledgerOfDay.id, ledgerOfDay]));
    for (const [index, { id }] of days.entries()) days[index] = byId.get(id) ?? days[index]!;
  }
  const received = new Map(days.map(({ id, state }) => [id, state.filed ?? 0]));
  const wanted = hourIds(stretches, filedThroughMs).filter(
    (id) => !isFiled({ filed: received.get(dayLedgerId(id)) ?? 0 }, hourOfLedger(id)!),
  );
  const hourFields = fields?.map((field) => (field === 'days' ? 'hours' : field));
  return [...days, ...(await loadAll(store, of, wanted, hourFields))];
}

/**
 * Minutes are kept in the ledgers of hours, and in those of days that an earlier release has begun, until they leave.
 */
async function readMinutes(
  store: LedgerReads,
  of: ReadKind,
  stretches: readonly LedgerStretch[],
  fields: readonly (keyof LedgerState)[],
): Promise<LedgerPages[]> {
  const hours = hourIds(stretches, 0);
  const held = await loadAll(store, of, [...dayIds(stretches), ...hours], [...fields, 'leaving']);
  return [...held, ...(await readLeftMinutes(store, of.minutesKind, hours, held))];
}

/**
 * The minutes that have left the ledgers of these hours, and those that `held` ledgers are still telling. The ledgers
 * are read first: what one of them holds no more was received.
 */
export async function readLeftMinutes(
  store: LedgerReads,
  minutesKind: string,
  hours: readonly string[],
  held: readonly LedgerPages[],
): Promise<LedgerPages[]> {
  const left: LedgerPages[] = [];
  const received = new Map<string, readonly number[]>();
  for (const { id, state } of await loadStates(store, minutesKind, hours)) {
    const { names, minutes, received: batches } = state as LedgerMinutesState;
    received.set(id, batches);
    left.push({ id, state: { names: namesOf(names), minutes } });
  }
  for (const { id, state } of held) {
    for (const { number, names, pages } of state.leaving ?? [])
      if (!received.get(id)?.includes(number)) left.push({ id, state: { names: namesOf(names), minutes: pages } });
  }
  return left;
}

/**
 * The ledgers of days as they are when all their hours have been told, and with the minutes of these, from those that
 * were read with the fields that are wanted. What a day has received already is left out of its hours, except minutes.
 */
export function assembleDays(ledgers: readonly LedgerPages[]): StoredLedger[] {
  const days = new Map<string, StoredLedger>();
  const hours: LedgerPages[] = [];
  for (const part of ledgers) {
    if (hourOfLedger(part.id) === null)
      days.set(part.id, { id: part.id, state: { ...emptyLedger(part.id), ...structuredClone(part.state) } });
    else hours.push(part);
  }
  hours.sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, state } of hours) {
    const dayId = dayLedgerId(id);
    const day = days.get(dayId) ?? { id: dayId, state: emptyLedger(dayId) };
    days.set(dayId, day);
    const whole = { ...emptyLedger(id), ...state };
    if (state.hours !== undefined) fileHour(day.state, structuredClone(closedHourOf(id, whole)));
    addMinutes(day.state, whole);
  }
  return [...days.values()];
}

function addMinutes(day: LedgerState, { minutes, names }: LedgerState): void {
  for (const index in minutes) {
    const page = minutes[index]!;
    const more = typeof page === 'string' ? unpackPage(page, names) : page;
    const held = day.minutes[index] ?? {};
    const sum = typeof held === 'string' ? unpackPage(held, day.names) : held;
    addPage(sum, more, 1, UNLIMITED_ROWS);
    day.minutes[index] = sum;
  }
}

function dayIds(stretches: readonly LedgerStretch[]): string[] {
  const ids = new Set<string>();
  for (const { owner, fromMs, toMs } of stretches) {
    for (let dayMs = fromMs - (fromMs % DAY_MS); dayMs < toMs; dayMs += DAY_MS) ids.add(dayIdAt(owner, dayMs));
  }
  return [...ids];
}

/** The ledgers of the hours of the stretches that end after `afterMs`. */
function hourIds(stretches: readonly LedgerStretch[], afterMs: number): string[] {
  const ids = new Set<string>();
  for (const { owner, fromMs, toMs } of stretches) {
    const firstMs = Math.max(fromMs - (fromMs % HOUR_MS), afterMs - (afterMs % HOUR_MS));
    for (let hourMs = firstMs; hourMs < toMs; hourMs += HOUR_MS)
      ids.add(hourLedgerIdOf(dayIdAt(owner, hourMs), (hourMs % DAY_MS) / HOUR_MS));
  }
  return [...ids];
}

function dayIdAt({ scope, id, sandbox, sandboxGeneration }: LedgerOwner, atMs: number): string {
  return ledgerId(scope, id, atMs, sandbox, sandboxGeneration);
}

async function loadAll(
  store: LedgerReads,
  { kind }: ReadKind,
  ids: readonly string[],
  fields?: readonly (keyof LedgerState)[],
): Promise<LedgerPages[]> {
  const found = await loadStates(store, kind, ids, fields && fieldsToUnpack(fields));
  return found.map(({ id, state }) => ({ id, state: unpackLedger(state) }));
}

async function loadStates(
  store: LedgerReads,
  kind: string,
  ids: readonly string[],
  fields?: readonly string[],
): Promise<{ readonly id: string; readonly state: unknown }[]> {
  const found: { readonly id: string; readonly state: unknown }[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const keys = ids.slice(start, start + AT_ONCE).map((id) => ({ kind, id }));
    for (const document of await store.load(keys, fields)) if (document && !document.deleted) found.push(document);
  }
  return found;
}
