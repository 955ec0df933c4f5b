import { expect } from 'chai';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { emptyImpressionRollup, foldImpression, foldInvalid } from '#actors/impression-rollup/reduce';
import { MAX_ROW_BYTES } from '#actors/impression-rollup/row-index';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { OTHERS_KEY } from '#actors/ledger/page';
import { boundedRowName } from '#actors/ledger/row-name';
import type { Context } from '#runtime/actor/context';
import { IMPRESSION } from './impression.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const ID = '7:2026-03-14';
const MEGABYTE = 1_048_576;

function fold(state: ImpressionRollupState, fields: Partial<Impression>, number: number, nowMs = NOON_MS): void {
  // Of those that are in no feed, so that rows alone are measured.
  const impression = { ...IMPRESSION, id: `tracking-${number}`, unfed: true, ...fields };
  foldImpression(state, impression, contextOf(nowMs, number));
}

function foldBad(state: ImpressionRollupState, fields: Partial<Impression>, number: number, nowMs = NOON_MS): void {
  foldInvalid(state, { ...IMPRESSION, reason: 'bot-user-agent', ...fields }, contextOf(nowMs, number));
}

function contextOf(nowMs: number, number: number): Context {
  return { id: ID, address: `tally/${ID}`, nowMs, position: `${nowMs}-${number}`, random: () => 0 };
}

function megabytesOf(state: ImpressionRollupState): number {
  return Buffer.byteLength(JSON.stringify(state)) / MEGABYTE;
}

/** Impressions of each ledger, by its address. */
function told(
  state: ImpressionRollupState,
): Record<string, { impressions: number; grossNanos: number; slots: number }> {
  const sums: Record<string, { impressions: number; grossNanos: number; slots: number }> = {};
  for (const { to, body } of impressionRollup.totals!(state, null, ID)) {
    const { regions, slots = [] } = body as { regions: { impressions: number; grossNanos: number }[]; slots?: [] };
    sums[to] = {
      impressions: regions.reduce((sum, { impressions }) => sum + impressions, 0),
      grossNanos: regions.reduce((sum, { grossNanos }) => sum + grossNanos, 0),
      slots: (slots as { impressions: number }[]).reduce((sum, { impressions }) => sum + impressions, 0),
    };
  }
  return sums;
}

describe('the bounds of an impression rollup', () => {
  it('hold for 2,600 impressions whose creatives have ids of 7,000 characters each', () => {
    const state = emptyImpressionRollup();
    for (let number = 0; number < 2_600; number++) fold(state, { crid: `${number}`.padStart(7_000, '€') }, number);
    expect(megabytesOf(state)).to.be.below(2);
    const [page] = state.pages;
    expect(page!.rows).to.have.length(2_600);
    expect(page!.rows.every(({ crid }) => boundedRowName(crid) === crid && crid.length <= 64)).to.equal(true);
    expect(told(state)['ledger/dsp:dsp-1:2026-03-14T12']!.impressions).to.equal(2_600);
  });

  it('hold for 50,000 creatives in a minute: late ones are summed as others, and the money of each party stays apart', () => {
    const state = emptyImpressionRollup();
    const campaigns = ['summer', 'winter', undefined];
    for (let number = 0; number < 50_000; number++) {
      const campaign = campaigns[number % 3];
      fold(
        state,
        {
          publisher: `publisher-${number % 7}`,
          account: `account-${number % 2}`,
          soldAtMs: NOON_MS - (number % 2) * 3_600_000,
          crid: `creative-${number}-${'x'.repeat(200)}`,
          ...(campaign === undefined ? {} : { campaign }),
        },
        number,
      );
    }
    expect(megabytesOf(state)).to.be.within(2, 5);
    expect(state.pages[0]!.rows.some(({ crid }) => crid === OTHERS_KEY)).to.equal(true);
    const of = (divisor: number, rest: number) => Math.floor((50_000 - 1 - rest) / divisor) + 1;
    const sum = (impressions: number) => ({ impressions, grossNanos: impressions * IMPRESSION.priceCpmMicros });
    const sums = told(state);
    for (let publisher = 0; publisher < 7; publisher++) {
      const told = sums[`ledger/publisher:publisher-${publisher}:2026-03-14T12`];
      expect(told).to.deep.equal({ ...sum(of(7, publisher)), slots: of(7, publisher) });
    }
    expect(sums['ledger/campaign:summer:2026-03-14T12']).to.deep.equal({ ...sum(of(3, 0)), slots: of(3, 0) });
    expect(sums['ledger/campaign:winter:2026-03-14T12']).to.deep.equal({ ...sum(of(3, 1)), slots: of(3, 1) });
    expect(sums['ledger/account:account-1:2026-03-14T12']).to.deep.equal({ ...sum(25_000), slots: 0 });
    expect(sums['ledger/dsp:dsp-1:2026-03-14T12']).to.deep.equal({ ...sum(50_000), slots: 50_000 });
  });

  it('refuse an impression that no row is for once no other row has room, and have changed nothing', () => {
    const state = emptyImpressionRollup();
    let number = 0;
    const next = () => fold(state, { publisher: `publisher-${number}`, crid: `creative-${number}` }, number);
    expect(() => {
      for (; number < 40_000; number++) next();
    }).to.throw(/takes no new one/);
    expect(number).to.be.above(10_000);
    const before = JSON.stringify(state);
    expect(next).to.throw(/takes no new one/);
    expect(() => fold(state, { publisher: `publisher-${number}` }, number)).to.throw(/takes no new one/);
    expect(JSON.stringify(state)).to.equal(before);
    expect(megabytesOf(state)).to.be.below((1.1 * MAX_ROW_BYTES) / MEGABYTE);
    fold(state, { publisher: 'publisher-0', crid: 'creative-0' }, number);
    expect(state.pages[0]!.rows[0]!.impressions).to.equal(2);
  });

  it('take impressions again in the next minute, once a full one was sent to the ledgers', () => {
    const state = emptyImpressionRollup();
    let number = 0;
    expect(() => {
      for (; number < 40_000; number++) fold(state, { publisher: `publisher-${number}` }, number);
    }).to.throw(/takes no new one/);
    const later = NOON_MS + 60_000;
    fold(state, { publisher: 'publisher-a' }, 0, later);
    expect(() => fold(state, { publisher: 'publisher-b' }, 1, later), 'nobody was told').to.throw(/takes no new one/);
    impressionRollup.onPublished!(state, `${later}-0`);
    expect(state.pages.map(({ minuteMs }) => minuteMs)).to.deep.equal([later]);
    fold(state, { publisher: 'publisher-b' }, 2, later);
    expect(state.pages[0]!.rows).to.have.length(2);
  });

  it('count invalid traffic in rows that are there when there is no room for new ones, and in new ones with the next minute', () => {
    const state = emptyImpressionRollup();
    let number = 0;
    expect(() => {
      for (; number < 40_000; number++) foldBad(state, { publisher: `publisher-${number}` }, number);
    }).to.throw(/takes no new one/);
    const before = JSON.stringify(state);
    expect(() => foldBad(state, { publisher: 'publisher-x' }, number)).to.throw(/takes no new one/);
    expect(() => fold(state, { publisher: 'publisher-x', revalidates: 'other' }, number)).to.throw(/takes no new one/);
    expect(JSON.stringify(state)).to.equal(before);
    foldBad(state, { publisher: 'publisher-0' }, number);
    fold(state, { publisher: 'publisher-1', revalidates: 'bot-user-agent' }, number + 1);
    const later = NOON_MS + 60_000;
    foldBad(state, { publisher: 'publisher-x' }, 0, later);
    expect(() => foldBad(state, { publisher: 'publisher-y' }, 1, later), 'nobody was told').to.throw(/takes no new/);
    impressionRollup.onPublished!(state, `${later}-0`);
    expect(state.pages.map(({ minuteMs }) => minuteMs)).to.deep.equal([later]);
    foldBad(state, { publisher: 'publisher-y' }, 2, later);
    expect(state.day).to.deep.include({ impressions: 1, taken: number + 3 });
  });

  it('count an impression in the row that an older release has saved under the whole id of its creative', () => {
    const crid = 'z'.repeat(7_000);
    const state = emptyImpressionRollup();
    fold(state, { crid }, 0);
    const saved = structuredClone(state);
    saved.pages[0]!.rows[0]!.crid = crid;
    fold(saved, { crid }, 1);
    fold(state, { crid }, 1);
    expect(saved).to.deep.equal(state);
    expect(saved.pages[0]!.rows).to.have.length(1);
  });
});
