import { setFlagsFromString } from 'node:v8';
import { expect } from 'chai';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { emptyImpressionRollup, foldImpression } from '#actors/impression-rollup/reduce';
import type { Totals } from '#actors/ledger/messages';
import { IMPRESSION } from './impression.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const MINUTE_MS = 60_000;
const ID = '7:2026-03-14';

function folded(...impressions: readonly (Partial<Impression> & { readonly atMs?: number })[]) {
  const state = emptyImpressionRollup();
  for (const [number, { atMs = NOON_MS, ...fields }] of impressions.entries()) {
    fold(state, { ...IMPRESSION, ...fields }, atMs, number);
  }
  return state;
}

function fold(
  state: ReturnType<typeof emptyImpressionRollup>,
  impression: Impression,
  atMs: number,
  number: number,
): void {
  const position = `${atMs}-${number}`;
  foldImpression(state, impression, { id: ID, address: `tally/${ID}`, nowMs: atMs, position, random: () => 0 });
}

/** What ledgers are told; feeds.test.ts looks at what feeds are. */
function totals(state: ReturnType<typeof emptyImpressionRollup>, published: string | null = null) {
  return impressionRollup.totals!(state, published, ID)
    .filter(({ to }) => to.startsWith('ledger/'))
    .map(({ to, type, body }) => ({ to, type, body: body as Totals }));
}

describe('an impression rollup', () => {
  it('is of a partition and a UTC day, by log time', () => {
    expect(impressionRollup.idAt!('7', NOON_MS + 12 * 60 * MINUTE_MS - 1)).to.equal('7:2026-03-14');
    expect(impressionRollup.idAt!('7', NOON_MS + 12 * 60 * MINUTE_MS)).to.equal('7:2026-03-15');
    expect(impressionRollup.partitionOf!('7', 64)).to.equal(7);
    expect(impressionRollup.partitionOf!('7:2026-03-14', 64)).to.equal(7);
    expect(() => impressionRollup.partitionOf!('none', 64)).to.throw(/no tally/);
  });

  it('tells both sides and the platform the same sums', () => {
    const sum = { impressions: 2, grossNanos: 5_000_000, feeNanos: 750_000 };
    const page = { partition: 7, minuteMs: NOON_MS, version: `${NOON_MS}-1` };
    expect(totals(folded({}, {}))).to.deep.equal([
      {
        to: 'ledger/publisher:publisher-1:2026-03-14T12',
        type: 'totals',
        body: {
          ...page,
          regions: [{ region: 'fra', ...sum, counterparties: [{ id: 'dsp-1', ...sum }], creatives: [] }],
        },
      },
      {
        to: 'ledger/dsp:dsp-1:2026-03-14T12',
        type: 'totals',
        body: {
          ...page,
          regions: [
            {
              region: 'fra',
              ...sum,
              counterparties: [{ id: 'publisher-1', ...sum }],
              creatives: [{ id: 'crid-1', ...sum }],
            },
          ],
        },
      },
      {
        to: 'ledger/platform:exchange:2026-03-14T12',
        type: 'totals',
        body: { ...page, regions: [{ region: 'fra', ...sum, counterparties: [], creatives: [] }] },
      },
    ]);
  });

  it('sends totals to the campaign where there is one, and sandbox totals to sandbox ledgers', () => {
    const told = totals(folded({ campaign: 'a:b', sandbox: true })).map(({ to }) => to);
    expect(told).to.deep.equal([
      'ledger/publisher:publisher-1:2026-03-14T12:sandbox',
      'ledger/dsp:dsp-1:2026-03-14T12:sandbox',
      'ledger/campaign:a%3Ab:2026-03-14T12:sandbox',
      'ledger/platform:exchange:2026-03-14T12:sandbox',
    ]);
  });

  it('sends sandbox totals to the ledgers of each side’s own generation, and live totals whatever it is', () => {
    const generations = { publisherGeneration: 2, dspGeneration: 1 };
    const state = folded({ sandbox: true, campaign: 'c' }, { sandbox: true, campaign: 'c', ...generations });
    const told = totals(state);
    expect(told.map(({ to, body }) => [to, body.regions[0]!.impressions])).to.deep.equal([
      ['ledger/publisher:publisher-1:2026-03-14T12:sandbox', 1],
      ['ledger/dsp:dsp-1:2026-03-14T12:sandbox', 1],
      ['ledger/campaign:c:2026-03-14T12:sandbox', 1],
      ['ledger/platform:exchange:2026-03-14T12:sandbox', 2],
      ['ledger/publisher:publisher-1:2026-03-14T12:sandbox.2', 1],
      ['ledger/dsp:dsp-1:2026-03-14T12:sandbox.1', 1],
      ['ledger/campaign:c:2026-03-14T12:sandbox.1', 1],
    ]);
    expect(totals(folded(generations))[0]!.to).to.equal('ledger/publisher:publisher-1:2026-03-14T12');
  });

  it('counts in one row what is alike in everything that a ledger keeps apart, and in no other', () => {
    const bought = { account: 'account-1', campaign: 'campaign-1', soldAtMs: NOON_MS - 1_000 };
    const alike = {
      ...bought,
      id: 'b',
      auction: 'auction-2',
      priceCpmMicros: 1_000_000,
      feePpm: 0,
      partner: 'partner-1',
    };
    const others: readonly Partial<Impression>[] = [
      { publisher: 'publisher-2' },
      { dsp: 'dsp-2' },
      { campaign: 'campaign-2' },
      { campaign: undefined },
      { crid: 'crid-2' },
      { crid: undefined },
      { region: 'nyc' },
      { account: 'account-2' },
      { account: undefined },
      { soldAtMs: NOON_MS - 5 * MINUTE_MS - 1_000 },
      { soldAtMs: undefined },
      { sandbox: true },
      { sandbox: true, publisherGeneration: 1 },
      { sandbox: true, dspGeneration: 1 },
    ].map((field) => ({ ...bought, ...field }) as Partial<Impression>);
    const counted = (state: ReturnType<typeof emptyImpressionRollup>) =>
      state.pages.flatMap(({ rows }) => rows.map(({ impressions }) => impressions));
    const all = [bought, alike, ...others];
    const state = folded(...all, ...all);
    expect(counted(state)).to.deep.equal([4, ...others.map(() => 2)]);
    const loaded = JSON.parse(JSON.stringify(state)) as typeof state;
    for (const [number, fields] of all.entries()) fold(loaded, { ...IMPRESSION, ...fields }, NOON_MS, 100 + number);
    expect(counted(loaded)).to.deep.equal([6, ...others.map(() => 3)]);
  });

  it('has rows of one shape for V8, so that a fold reads them fast', () => {
    // Natives are a syntax of their own: what uses them is compiled when they are allowed.
    setFlagsFromString('--allow-natives-syntax');
    const haveSameShape = new Function('one', 'other', 'return %HaveSameMap(one, other)');
    setFlagsFromString('--no-allow-natives-syntax');
    const creatives = Array.from({ length: 20 }, (_, number) => ({ crid: `creative-${number}`, soldAtMs: NOON_MS }));
    const [first, ...others] = folded(...creatives, ...creatives).pages[0]!.rows;
    expect(others).to.have.length(19);
    for (const row of others) expect(haveSameShape(first, row), row.crid).to.equal(true);
  });

  it('saves a row without generations as all rows were before there were any', () => {
    const state = folded({ sandbox: true });
    expect(state.pages[0]!.rows[0]).to.not.have.any.keys('publisherGeneration', 'dspGeneration');
  });

  it('tells minutes oldest first, and after that only what changed, whole', () => {
    const state = folded({}, { publisher: 'publisher-2' }, { atMs: NOON_MS + MINUTE_MS });
    expect(totals(state).map(({ body }) => body.minuteMs - NOON_MS)).to.deep.equal([
      0,
      0,
      0,
      0,
      MINUTE_MS,
      MINUTE_MS,
      MINUTE_MS,
    ]);
    const published = `${NOON_MS + MINUTE_MS}-2`;
    expect(totals(state, published)).to.be.empty;
    fold(state, { ...IMPRESSION, dsp: 'dsp-2' }, NOON_MS + MINUTE_MS, 3);
    const told = totals(state, published);
    expect(told.map(({ to }) => to.split(':')[1])).to.have.members(['publisher-1', 'exchange', 'dsp-2']);
    expect(
      told.find(({ to }) => to.includes('publisher-1'))!.body.regions[0]!.impressions,
      'the minute whole',
    ).to.equal(2);
  });

  it('forgets a past minute once its totals were sent, and keeps the sums of its day', () => {
    const state = folded({}, { atMs: NOON_MS + MINUTE_MS }, { atMs: NOON_MS + 2 * MINUTE_MS });
    totals(state);
    expect(state.pages, 'nobody is known to have been told').to.have.length(3);
    impressionRollup.onPublished!(state, `${NOON_MS + MINUTE_MS}-1`);
    expect(state.pages.map(({ minuteMs }) => minuteMs - NOON_MS)).to.deep.equal([2 * MINUTE_MS]);
    impressionRollup.onPublished!(state, `${NOON_MS + 2 * MINUTE_MS}-2`);
    expect(state.pages, 'the newest minute may still grow').to.have.length(1);
    expect(state.day).to.deep.equal({ impressions: 3, grossNanos: 7_500_000, feeNanos: 1_125_000, taken: 3 });
  });

  it('goes on after a load as if there had been none', () => {
    const state = folded({}, { publisher: 'publisher-2' });
    const loaded = structuredClone(state);
    for (const one of [state, loaded]) fold(one, IMPRESSION, NOON_MS, 2);
    expect(loaded).to.deep.equal(state);
    expect(loaded.pages[0]!.rows).to.have.length(2);
  });

  it('refuses log time that goes back, and sums that are not exact, changing nothing', () => {
    const state = folded({});
    const before = structuredClone(state);
    expect(() => fold(state, IMPRESSION, NOON_MS - MINUTE_MS, 1)).to.throw(/went back/);
    expect(() => fold(state, { ...IMPRESSION, priceCpmMicros: Number.MAX_SAFE_INTEGER }, NOON_MS, 1)).to.throw(
      RangeError,
    );
    expect(state).to.deep.equal(before);
  });
});
