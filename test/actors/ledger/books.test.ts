import { expect } from 'chai';
import fc from 'fast-check';
import { budgetWindowStart } from '#actors/budget/budget-window';
import type { Impression } from '#actors/impression-rollup/messages';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, type LedgerScope, ledgerId, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { assembleDays } from '#actors/ledger/read-ledgers';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';
import { feeNanos } from '#exchange/money/fee';
import { START_MS, TallyNode } from './tally-node.ts';

const PARTITIONS = 3;
const PUBLISHERS = ['publisher-a', 'publisher-b', 'publisher-c'];
const DSPS = ['dsp-x', 'dsp-y'];

type Step =
  | { readonly do: 'impression'; readonly partition: number; readonly impression: Impression; readonly waitMs: number }
  | { readonly do: 'save' | 'crash-unsaved' | 'crash-unpublished' | 'crash-published'; readonly partition: number }
  | { readonly do: 'echo'; readonly seed: number };

const impressionStep = fc.record({
  do: fc.constant('impression' as const),
  partition: fc.nat(PARTITIONS - 1),
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 })),
  impression: fc.record(
    {
      id: fc.string({ minLength: 22, maxLength: 22 }),
      auction: fc.string(),
      publisher: fc.constantFrom(...PUBLISHERS),
      dsp: fc.constantFrom(...DSPS),
      campaign: fc.constantFrom('campaign-1', 'campaign-2'),
      crid: fc.constantFrom('crid.1', '$crid', 'constructor', ''),
      priceCpmMicros: fc.oneof(fc.integer({ min: 0, max: 50_000_000 }), fc.constant(1_000_000_000_000)),
      feePpm: fc.integer({ min: 0, max: 1_000_000 }),
      region: fc.constantFrom('fra', 'nyc'),
      sandbox: fc.boolean(),
      publisherGeneration: fc.integer({ min: 1, max: 2 }),
      dspGeneration: fc.integer({ min: 1, max: 2 }),
      account: fc.constantFrom('account-1', 'account-2'),
      soldAtMs: fc.integer({ min: START_MS - 3_600_000, max: START_MS }),
    },
    { requiredKeys: ['id', 'auction', 'publisher', 'dsp', 'priceCpmMicros', 'feePpm', 'region'] },
  ),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: impressionStep },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'save' as const,
        'crash-unsaved' as const,
        'crash-unpublished' as const,
        'crash-published' as const,
      ),
      partition: fc.nat(PARTITIONS - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('echo' as const), seed: fc.nat() }) },
);

/** The ledgers of the other side of the totals, which hear everything in order, and old things again. */
class Ledgers {
  readonly states = new Map<string, LedgerState>();
  readonly #heard: { to: string; body: unknown }[] = [];

  tell = (to: string, body: unknown): void => {
    if (!to.startsWith('ledger/')) return;
    this.#heard.push({ to, body: structuredClone(body) });
    this.#handle(to, body);
  };

  /** One of the messages so far once more: a delayed write of a node that has lost its partition. */
  echo(seed: number): void {
    if (this.#heard.length === 0) return;
    const { to, body } = this.#heard[seed % this.#heard.length]!;
    this.#handle(to, structuredClone(body));
  }

  /** The ledger of a day, from those of its hours. */
  stored(id: string) {
    const hours = [...this.states].filter(([hourId]) => dayLedgerId(hourId) === id);
    return assembleDays(hours.map(([hourId, state]) => ({ id: hourId, state })));
  }

  #handle(to: string, body: unknown): void {
    const id = to.slice('ledger/'.length);
    const state = this.states.get(id) ?? ledger.initial(id);
    this.states.set(id, state);
    const context = { id, address: to, nowMs: 0, position: '0-0', random: () => 0 };
    ledger.handle(state, { type: 'totals', body } as never, context);
  }
}

describe('the ledgers', () => {
  it('balance to the nano-dollar through crashes, repetitions and late echoes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const ledgers = new Ledgers();
        const nodes = Array.from({ length: PARTITIONS }, (_, partition) => new TallyNode(partition, ledgers.tell));
        const billed: Impression[] = [];
        for (const one of steps) {
          if (one.do === 'impression') {
            billed.push(one.impression);
            nodes[one.partition]!.append(one.impression, one.waitMs);
          } else if (one.do === 'echo') ledgers.echo(one.seed);
          else nodes[one.partition]!.act(one.do);
        }
        for (const node of nodes) node.act('save');
        for (let seed = 0; seed < 20; seed++) ledgers.echo(seed * 7);

        for (const sandbox of [false, true]) {
          const model = billed.filter((impression) => (impression.sandbox ?? false) === sandbox);
          expectSum(ledgers, ledgerId('platform', PLATFORM_OWNER_ID, START_MS, sandbox), model);
          for (const id of ['account-1', 'account-2']) {
            const own = sandbox ? [] : model.filter(({ account }) => account === id);
            expectSum(ledgers, ledgerId('account', id, START_MS, sandbox), own);
          }
          // Live books have no generations; each of the sandbox's has its own impressions and nobody else's.
          for (const generation of sandbox ? [0, 1, 2] : [0]) {
            const bookOf = (scope: LedgerScope, id: string) => ledgerId(scope, id, START_MS, sandbox, generation);
            const ofPublishers = sandbox
              ? model.filter(({ publisherGeneration = 0 }) => publisherGeneration === generation)
              : model;
            const ofDsps = sandbox ? model.filter(({ dspGeneration = 0 }) => dspGeneration === generation) : model;
            for (const id of PUBLISHERS) {
              const own = ofPublishers.filter(({ publisher }) => publisher === id);
              expectSum(ledgers, bookOf('publisher', id), own);
            }
            for (const id of DSPS) {
              const own = ofDsps.filter(({ dsp }) => dsp === id);
              expectSum(ledgers, bookOf('dsp', id), own);
            }
            for (const id of ['campaign-1', 'campaign-2']) {
              const own = ofDsps.filter(({ campaign }) => campaign === id);
              expectSum(ledgers, bookOf('campaign', id), own);
            }
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});

function expectSum(ledgers: Ledgers, id: string, model: readonly Impression[]): void {
  const scope = id.split(':')[0];
  const stored = ledgers.stored(id);
  const sum = sumLedgers(stored, reportWindowOf('today', START_MS + 11 * 3_600_000));
  const gross = model.reduce((nanos, { priceCpmMicros }) => nanos + BigInt(priceCpmMicros), 0n);
  const fees = model.reduce(
    (nanos, { priceCpmMicros, feePpm }) => nanos + BigInt(feeNanos(priceCpmMicros, feePpm)),
    0n,
  );
  expect([sum.impressions, sum.grossNanos, sum.feeNanos], id).to.deep.equal([model.length, gross, fees]);
  if (scope === 'platform' || scope === 'account') return;
  const slots = new Map<number, { impressions: number; grossNanos: number }>();
  for (const { soldAtMs, priceCpmMicros } of model) {
    if (soldAtMs === undefined) continue;
    const { impressions, grossNanos } = slots.get(budgetWindowStart(soldAtMs)) ?? { impressions: 0, grossNanos: 0 };
    slots.set(budgetWindowStart(soldAtMs), { impressions: impressions + 1, grossNanos: grossNanos + priceCpmMicros });
  }
  const bySlot = stored[0]?.state.slots ?? {};
  for (const [slotMs, moved] of slots) expect(bySlot[slotMs], `slot ${slotMs} of ${id}`).to.deep.equal(moved);
  const inSlots = Object.values(bySlot).reduce((impressions, slot) => impressions + slot.impressions, 0);
  expect(inSlots, `slots of ${id}`).to.equal(model.filter(({ soldAtMs }) => soldAtMs !== undefined).length);
  const parts = [...sum.counterparties.values()].reduce((nanos, row) => nanos + row.grossNanos, 0n);
  expect(parts, `counterparties of ${id}`).to.equal(gross);
  if (scope === 'publisher') return;
  for (const crid of ['crid.1', '$crid', 'constructor']) {
    const ofCreative = model.filter((impression) => impression.crid === crid).length;
    expect(sum.creatives.get(crid)?.impressions ?? 0, `creative ${crid} of ${id}`).to.equal(ofCreative);
  }
}
