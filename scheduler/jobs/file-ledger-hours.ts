import { facts } from '../../actors/facts/facts.ts';
import { minutesKindOf } from '../../actors/ledger/leaving-minutes.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, HOUR_MS, utcHour } from '../../actors/ledger/ledger-id.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import { FILED_FACT_HOURS_ID, FILED_HOURS_ID, watermark } from '../../actors/watermark/watermark.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';
import { moneyDeadLetters } from '../billing/parked-money.ts';
import type { Job } from '../job.ts';
import type { JobFigures } from '../job-figures.ts';
import { readWatermark } from '../watermark/read-watermark.ts';
import { factHourDeadLetters } from './fact-hour-dead-letters.ts';

/** Counts of edges carry the edges’ time: their clocks differ from the log's by less than this many ms. */
const EDGES_LATE_MS = 300_000;
/** Reports of six hours read minutes of hours that are over; ms after the end of an hour. */
const KEEP_MINUTES_MS = 8 * HOUR_MS;
const TELLS_AT_ONCE = 64;
/**
 * So many ledgers are closed, and in their days, before the next: what is booked meanwhile waits for no more than
 * these.
 */
const CLOSED_AT_ONCE = 5_000;
const AT_A_TIME = 500;
/** The most ledgers of hours that one run files or deletes; the next run goes on. */
const MAX_LEDGERS = 1_000_000;

export interface FileLedgerHoursDeps {
  readonly store: Pick<StateStore, 'load' | 'find' | 'purge' | 'deadLetters' | 'after'>;
  readonly messenger: Pick<Messenger, 'tell' | 'ask'>;
  /** Resolves when the documents hold everything that their log holds now; see runtime/node/log-barrier.ts. */
  readonly passBarrier: (signal: AbortSignal) => Promise<{ readonly token: StoreToken }>;
  readonly figures: Pick<JobFigures, 'hoursFiled'>;
}

/**
 * Files the ledgers of hours that are over in those of their days, and deletes them when nobody reads their minutes any
 * more and their day is over. An hour is over when the watermark has passed it: nothing can be booked in it then,
 * unless live totals of it are parked, for which it waits. It is filed once its day has it, and not while it is parked
 * on its way there.
 */
export function fileLedgerHours(deps: FileLedgerHoursDeps): Job {
  return {
    name: 'file-ledger-hours',
    purpose: 'Files the books of hours that are over in those of their days.',
    cron: '*/10 * * * *',
    missed: 'newest',
    run: ({ signal }) => fileHours(deps, { of: ledger, filedId: FILED_HOURS_ID, actors: deps.messenger }, signal),
  };
}

/**
 * The same for the counts of edges, whose log is another: their hours end with those of ledgers, and wait for what is
 * parked of themselves, too.
 */
export function fileFactHours(deps: FileLedgerHoursDeps & { readonly factsMessenger: Pick<Messenger, 'tell'> }): Job {
  return {
    name: 'file-fact-hours',
    purpose: 'Files the counts of hours that are over in those of their days.',
    cron: '5-59/10 * * * *',
    missed: 'newest',
    run: ({ signal }) =>
      fileHours(deps, { of: facts, filedId: FILED_FACT_HOURS_ID, actors: deps.factsMessenger }, signal),
  };
}

/** The documents of hours to file: their kind, the watermark of what is filed, and the way to their actors. */
interface FiledKind {
  readonly of: typeof ledger | typeof facts;
  readonly filedId: string;
  readonly actors: Pick<Messenger, 'tell'>;
}

async function fileHours(
  { store, messenger, passBarrier, figures }: FileLedgerHoursDeps,
  { of, filedId, actors }: FiledKind,
  signal: AbortSignal,
): Promise<string> {
  const { toMs, heldBy, reads } = await closableThrough(store, of);
  const open = await findHours(reads, of.kind, 'hour', toMs);
  for (let start = 0; start < open.length; start += CLOSED_AT_ONCE) {
    if (start > 0) await passBarrier(signal);
    await mapLimit(open.slice(start, start + CLOSED_AT_ONCE), TELLS_AT_ONCE, async ({ id }) => {
      signal.throwIfAborted();
      await actors.tell(of, id, 'close', {});
    });
  }
  const filedMs = await readWatermark({ store }, filedId);
  figures.hoursFiled(of.kind, filedMs);
  if (toMs > filedMs && open.length < MAX_LEDGERS) {
    // Two hops: the documents of the hours are closed, and those of their days have what they tell.
    const { token } = await passBarrier(signal);
    // A parked message counts as covered: one of these hours may be parked on its way now.
    const throughMs = Math.min(toMs, (await closableThrough(store, of)).toMs);
    if (throughMs > filedMs) {
      await messenger.ask(watermark, filedId, 'raise', { throughMs, token });
      figures.hoursFiled(of.kind, throughMs);
    }
  }
  const overMs = Math.min(filedMs, toMs);
  // A rollup that is loaded tells again what it may not have told: nothing loads one when its day is over.
  const keptFromMs = Math.min(overMs - KEEP_MINUTES_MS, overMs - (overMs % DAY_MS));
  const purged = await purgeBefore(store, { kind: of.kind, prefix: 'filed-hour' }, keptFromMs, signal);
  // After their ledgers, which would be without minutes otherwise.
  await purgeBefore(store, { kind: minutesKindOf(of.kind), prefix: 'minutes' }, keptFromMs, signal);
  const held = heldBy === null ? '' : `; later ones wait for dead letter ${heldBy}`;
  return `before ${utcHour(toMs)}: ${open.length} hours filed, ${purged} deleted${held}`;
}

/**
 * The end of the last hour that can be closed, ms since the epoch, and the dead letter without which more could be: a
 * live hour of which totals are parked, or that is itself parked on its way to its day, holds those of all owners.
 * `reads` see all that the watermark counts on: an hour that they do not find is not there to be filed.
 */
async function closableThrough(
  store: FileLedgerHoursDeps['store'],
  kind: FiledKind['of'],
): Promise<{ readonly toMs: number; readonly heldBy: string | null; readonly reads: Pick<StateReads, 'find'> }> {
  const { throughMs, store: reads } = await readAtWatermark(store);
  let toMs = hourOf(Math.max(0, throughMs - EDGES_LATE_MS));
  let heldBy: string | null = null;
  const ofCounts = kind === facts ? await factHourDeadLetters(reads) : [];
  for (const { deadLetterId, ledger: of, decidedAtMs } of [...(await moneyDeadLetters(reads)), ...ofCounts]) {
    // The hours of the sandbox wait for nothing: what is parked of them is on no statement, and no live hour lacks it.
    if (of === null || of.hour === null || of.sandbox) continue;
    // A message that was replayed may be on its way until the watermark has passed its replay.
    if (decidedAtMs !== null && decidedAtMs + EDGES_LATE_MS < throughMs) continue;
    const beginsAtMs = Date.parse(`${of.day}T00:00:00Z`) + of.hour * HOUR_MS;
    if (!(beginsAtMs < toMs)) continue;
    toMs = beginsAtMs;
    heldBy = deadLetterId;
  }
  return { toMs, heldBy, reads };
}

/** The beginning of the hour of an instant. */
function hourOf(ms: number): number {
  return ms - (ms % HOUR_MS);
}

type AgePrefix = 'hour' | 'filed-hour' | 'minutes';

function findHours(store: Pick<StateReads, 'find'>, kind: string, prefix: AgePrefix, beforeMs: number) {
  const where = { filedUnder: { gte: `${prefix}/`, lt: `${prefix}/${utcHour(Math.max(0, beforeMs))}` } };
  return store.find(kind, { where, orderBy: 'filedUnder', limit: MAX_LEDGERS });
}

async function purgeBefore(
  store: FileLedgerHoursDeps['store'],
  { kind, prefix }: { readonly kind: string; readonly prefix: AgePrefix },
  beforeMs: number,
  signal: AbortSignal,
): Promise<number> {
  const found = await findHours(store, kind, prefix, beforeMs);
  let purged = 0;
  for (let start = 0; start < found.length; start += AT_A_TIME) {
    signal.throwIfAborted();
    purged += await store.purge(kind, found.slice(start, start + AT_A_TIME));
  }
  return purged;
}
