import type { DspProjection } from '#actors/dsp/fields';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import { type StoreServer, toStored } from '#runtime/simulator/store-server';
import { EPOCH_MS } from '#runtime/simulator/virtual-time';

/** From a few impressions a day to more than are sold on most; 0: none. */
export const BUDGETS_CENTS: readonly number[] = [4, 12, 40];

const BUDGETS_WITH_REGIONS: Readonly<Record<string, number>> = { 'dsp-x': 200, 'dsp-z': 0 };

export interface TradingPublisher {
  readonly accountId: string;
  readonly feePpm: number;
}

export type TradingDsp = Pick<
  DspProjection,
  'id' | 'dailyBudgetCents' | 'limitedSinceMs' | 'revision' | 'status' | 'sandboxGeneration'
> & { readonly feePpm: number };

/** Who trades in a run. */
export interface Market {
  readonly publishers: Map<string, TradingPublisher>;
  readonly dsps: Map<string, TradingDsp>;
  /** Micro-dollars CPM. */
  readonly prices: readonly number[];
}

/**
 * Budgets from a few impressions a day to none at all; fees that leave odd nano-dollars. Where there are regions, one
 * demand source has a budget that is never sold out, so that regions have sold from it when they are cut off, and one
 * has none yet.
 */
export function drawMarket(random: SeededRandom, hasRegions = false): Market {
  const publishers = new Map(
    ['publisher-a', 'publisher-b'].map((id, index) => [
      id,
      { accountId: `account-${index}`, feePpm: drawPublisherFee(random) },
    ]),
  );
  const dsps = new Map(
    ['dsp-x', 'dsp-y', 'dsp-z'].map((id): [string, TradingDsp] => {
      const drawn = random.pick([0, ...BUDGETS_CENTS]);
      const dailyBudgetCents = hasRegions ? (BUDGETS_WITH_REGIONS[id] ?? drawn) : drawn;
      const limits = { dailyBudgetCents, limitedSinceMs: EPOCH_MS, revision: 1 };
      return [id, { id, ...limits, status: 'active', sandboxGeneration: 0, feePpm: drawDspFee(random) }];
    }),
  );
  return { publishers, dsps, prices: [1_000_001, 2_345_678, 4_999_999, 9_000_000] };
}

export function drawPublisherFee(random: SeededRandom): number {
  return random.below(300_000);
}

export function drawDspFee(random: SeededRandom): number {
  return random.below(100_000);
}

/** A source as its actor would have saved it: what billing and opening budgets read of it. */
export function saveSource(
  store: StoreServer,
  kind: 'publisher' | 'dsp',
  id: string,
  terms: TradingPublisher | TradingDsp,
  nowMs: number,
): void {
  const version = (store.load({ kind, id })?.version ?? 0) + 1;
  const createdAt = new Date(EPOCH_MS).toISOString();
  const state = { ...terms, createdAt, updatedAt: new Date(nowMs).toISOString() };
  store.save(
    toStored({
      ...{ kind, id, partition: 0, version, writer: 'the market', position: '0-0', schema: 1, deleted: false, state },
      ...{ outbox: [], viewPending: false, received: {}, replies: {}, published: null },
    })!,
  );
}
