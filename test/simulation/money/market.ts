import type { DspView } from '../../../actors/dsp/view.ts';
import type { SeededRandom } from '../../../runtime/simulator/seeded-random.ts';
import { type KeptDocument, keep, type StoreServer } from '../../../runtime/simulator/store-server.ts';
import { EPOCH_MS } from '../../../runtime/simulator/virtual-time.ts';

const NANOS_PER_CENT = 10_000_000;

/** Who trades in a run. */
export interface Market {
  readonly publishers: ReadonlyMap<string, { readonly accountId: string; readonly feePpm: number }>;
  readonly dsps: ReadonlyMap<string, Pick<DspView, 'id' | 'dailyBudgetCents'> & { readonly feePpm: number }>;
  /** Micro-dollars CPM. */
  readonly prices: readonly number[];
}

/** Budgets from a few impressions a day to none at all; fees that leave odd nano-dollars. */
export function drawMarket(random: SeededRandom): Market {
  const publishers = new Map(
    ['publisher-a', 'publisher-b'].map((id, index) => [
      id,
      { accountId: `account-${index}`, feePpm: random.below(300_000) },
    ]),
  );
  const dsps = new Map(
    ['dsp-x', 'dsp-y', 'dsp-z'].map((id) => {
      const dailyBudgetCents = random.pick([0, 4, 12, 40]);
      const view = {
        id,
        dailyBudgetCents,
        limitedSinceMs: EPOCH_MS,
        revision: 1,
        status: 'active',
        sandboxGeneration: 0,
      };
      return [id, { ...view, feePpm: random.below(100_000) }];
    }),
  );
  return { publishers, dsps, prices: [1_000_001, 2_345_678, 4_999_999, 9_000_000] };
}

/** What a demand source may spend on a day, nano-dollars; null without a budget. */
export function dailyNanosOf({ dsps }: Market, dspId: string): bigint | null {
  const cents = dsps.get(dspId)?.dailyBudgetCents ?? 0;
  return cents === 0 ? null : BigInt(cents) * BigInt(NANOS_PER_CENT);
}

/** The sources as their actors would have saved them: what billing and opening budgets read of them. */
export function saveMarket({ publishers, dsps }: Market, store: StoreServer): void {
  const createdAt = new Date(EPOCH_MS).toISOString();
  for (const [id, { accountId, feePpm }] of publishers) {
    store.save(document('publisher', id, { accountId, feePpm, createdAt, updatedAt: createdAt }));
  }
  for (const [id, { feePpm, dailyBudgetCents }] of dsps) {
    store.save(document('dsp', id, { feePpm, dailyBudgetCents, createdAt, updatedAt: createdAt }));
  }
}

function document(kind: string, id: string, state: unknown): KeptDocument {
  return keep({
    ...{ kind, id, partition: 0, version: 1, writer: 'the market', position: '0-0', schema: 1, deleted: false, state },
    ...{ outbox: [], viewPending: false, received: {}, replies: {}, published: null },
  });
}
