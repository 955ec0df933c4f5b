import { actorKinds } from '#composition/actor-kinds';
import { withUpgradedStates } from '#runtime/node/with-upgraded-states';
import type { StateStore } from '#runtime/ports/store';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { auditBooks } from '#scheduler/audit/audit-books';
import { type Deployment, PARTITIONS } from '../exchange/deployment.ts';
import type { Rendered } from '../exchange/renderer.ts';
import type { SourceChanges } from '../traffic/source-changes.ts';
import { readBilledIds, trackingIdOf } from './billed-ids.ts';
import { expectedLedgerTotals, readLedgerTotals, type Sources } from './ledger-totals.ts';
import { waitUntilAtRest } from './wait-until-at-rest.ts';

const DAY_MS = 86_400_000;
const AT_REST_WITHIN_MS = 180_000;

/** The books against what users were promised. */
export interface Comparison {
  /** Impressions that were answered 200. */
  readonly acknowledged: number;
  /** As the ledgers of publishers have it. */
  readonly billed: number;
  /** Acknowledged, and not billed. */
  readonly lost: number;
  /** Billed more often than once, or without having been asked for. */
  readonly doubled: number;
  /** Whatever else is not as it must be, in words. */
  readonly wrong: readonly string[];
}

export interface PromisedOutcome {
  /** By tracking URL. */
  readonly rendered: ReadonlyMap<string, Rendered>;
  readonly sourceChanges: SourceChanges;
}

/** Waits until all is handled, then compares by id, by sum and by source. The exchange must be able to work. */
export async function compare(
  deployment: Deployment,
  redisUrl: string,
  promised: PromisedOutcome,
): Promise<Comparison> {
  const wrong: string[] = [];
  const log = await openRedisLog({ url: redisUrl, prefix: 'exchange', partitions: PARTITIONS });
  const store = await openMongodbStore({ url: deployment.mongodb });
  try {
    await waitUntilAtRest(log, PARTITIONS, deployment.folder, AT_REST_WITHIN_MS);
    const times = await readBilledIds(deployment);
    const acknowledged = new Set([...promised.rendered.keys()].map(trackingIdOf));
    const lost = [...acknowledged].filter((id) => !times.has(id)).length;
    let doubled = 0;
    for (const [id, count] of times) doubled += acknowledged.has(id) ? count - 1 : count;

    const books = await readLedgerTotals(store, deployment, deployment.nowMs());
    wrong.push(...ledgerDifferences(books, expectedLedgerTotals(promised.rendered.values(), deployment), deployment));
    wrong.push(...(await promised.sourceChanges.differences()));
    const letters = await store.deadLetters({ limit: 10 });
    if (letters.length > 0) wrong.push(`${letters.length} dead letters: ${JSON.stringify(letters[0])}`);
    wrong.push(...(await auditDifferences(store, deployment.nowMs())));
    const billed = deployment.publishers.reduce((sum, id) => sum + books[id]!.impressions, 0);
    return { acknowledged: acknowledged.size, billed, lost, doubled, wrong };
  } finally {
    await log.close();
    await store.close();
  }
}

/** What `exchange audit` finds, the day under way included: everything is at rest. */
async function auditDifferences(store: StateStore, nowMs: number): Promise<string[]> {
  const toMs = Math.ceil((nowMs + 1) / DAY_MS) * DAY_MS;
  const { differences } = await auditBooks(withUpgradedStates(store, actorKinds), { fromMs: 0, toMs });
  return differences.map(({ check, where, expected, found }) => `audit: ${check}, ${where}: ${found}, not ${expected}`);
}

type AllLedgerTotals = Awaited<ReturnType<typeof readLedgerTotals>>;

/** To the impression and to the nano-dollar, on each side. */
function ledgerDifferences(books: AllLedgerTotals, expected: AllLedgerTotals, { publishers, dsps }: Sources): string[] {
  return [...publishers, ...dsps].flatMap((id) => {
    const [has, due] = [books[id]!, expected[id]!];
    if (has.impressions === due.impressions && has.grossNanos === due.grossNanos) return [];
    const side = publishers.includes(id) ? 'publisher' : 'demand source';
    return [
      `the ${side} ${id} has ${has.impressions} impressions of ${has.grossNanos} nano-dollars in its books, and rendered were ${due.impressions} of ${due.grossNanos}`,
    ];
  });
}
