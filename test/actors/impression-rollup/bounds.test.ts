import { expect } from 'chai';
import { MAX_FREE_NANOS } from '#actors/impression-rollup/free-nanos';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { acceptedIdsOf, emptyImpressionRollup, foldImpression, foldInvalid } from '#actors/impression-rollup/reduce';
import { MAX_ROW_BYTES } from '#actors/impression-rollup/row-index';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import { ledger } from '#actors/ledger/ledger';
import { OTHERS_KEY } from '#actors/ledger/page';
import { boundedRowName } from '#actors/ledger/row-name';
import type { Context } from '#runtime/actor/context';
import { Rejection } from '#runtime/actor/rejection';
import { MOST_PARTITIONS } from '#settings/declared-settings';
import { IMPRESSION } from './impression.ts';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const ID = '7:2026-03-14';
const MEGABYTE = 1_048_576;

function fold(state: ImpressionRollupState, fields: Partial<Impression>, number: number, nowMs = NOON_MS) {
  // Of those that are in no feed, so that rows alone are measured.
  const impression = { ...IMPRESSION, id: `tracking-${number}`, unfed: true, ...fields };
  return foldImpression(state, impression, contextOf(nowMs, number));
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

  describe('against what costs nobody anything', () => {
    const DEAREST = 10_000_000_000;
    const SANDBOX = {
      sandbox: true,
      publisher: 'publisher-s',
      dsp: 'dsp-s',
      priceCpmMicros: DEAREST,
      soldAtMs: NOON_MS,
    };
    const MOST = Math.floor(MAX_FREE_NANOS / DEAREST);

    it('refuse sandbox impressions of more than the sandbox’s share of a day, and take live ones', () => {
      const state = emptyImpressionRollup();
      for (let number = 0; number < MOST; number++) expect(fold(state, SANDBOX, number)).to.equal(undefined);
      const before = structuredClone(state);
      for (let number = 0; number < 10; number++) {
        const refusal = fold(state, SANDBOX, MOST + number);
        expect(refusal).to.be.instanceOf(Rejection).with.property('code', 'SANDBOX_FULL');
      }
      expect(state, 'in nobody’s books').to.deep.equal(before);
      expect(fold(state, { ...SANDBOX, priceCpmMicros: 1 }, MOST + 10), 'there is room for it').to.equal(undefined);
      for (let number = 0; number < 100; number++)
        expect(fold(state, { priceCpmMicros: DEAREST }, MOST + 11 + number)).to.equal(undefined);
      expect(state.day).to.deep.include({ impressions: MOST + 101, grossNanos: (MOST + 100) * DEAREST + 1 });
      expect(acceptedIdsOf(state.day)).to.equal(MOST + 101);
    });

    it('are those with which the sums of all partitions are exact in every ledger', () => {
      const state = emptyImpressionRollup();
      const soMuch = (number: number) => ({ ...SANDBOX, campaign: 'campaign-s', priceCpmMicros: DEAREST - number });
      let number = 0;
      while (fold(state, soMuch(number % 2), number) === undefined) number += 1;
      for (let bad = 0; bad < number; bad++) foldBad(state, soMuch(bad % 2), number + bad);
      const sends = impressionRollup.totals!(state, null, ID).filter(({ to }) => to.startsWith('ledger/'));
      expect(sends).to.have.length(4);
      for (const { to, body } of sends) {
        const id = to.slice('ledger/'.length);
        const book = ledger.initial(id);
        for (let partition = 0; partition < MOST_PARTITIONS; partition++) {
          const message = { type: 'totals', body: { ...(body as object), partition } } as never;
          ledger.handle(book, message, { ...contextOf(NOON_MS, number), id, address: to });
        }
        expect(book.hours[12]!.fra!.grossNanos).to.equal(MOST_PARTITIONS * state.day.grossNanos);
      }
    });

    it('count invalid impressions beyond a share of a day without their prices, of each environment by itself', () => {
      const state = emptyImpressionRollup();
      for (let number = 0; number < MOST + 5; number++) foldBad(state, SANDBOX, number);
      expect(state.day.invalid).to.deep.equal({ 'invalid/bot-user-agent': MOST + 5, invalidNanos: MOST * DEAREST });
      for (let number = 0; number < MOST + 5; number++) foldBad(state, { priceCpmMicros: DEAREST }, MOST + 5 + number);
      expect(state.day.invalid).to.deep.equal({
        'invalid/bot-user-agent': 2 * (MOST + 5),
        invalidNanos: 2 * MOST * DEAREST,
      });
      expect(acceptedIdsOf(state.day)).to.equal(2 * (MOST + 5));
    });

    it('go on with what a release has stored that counted both environments in one sum', () => {
      const state = emptyImpressionRollup();
      fold(state, SANDBOX, 0);
      const { sandbox: _, ...day } = state.day;
      const stored: ImpressionRollupState = { ...structuredClone(state), day };
      expect(fold(stored, SANDBOX, 1)).to.equal(undefined);
      expect(stored.day).to.deep.include({ impressions: 2, grossNanos: 2 * DEAREST });
      expect(stored.day.sandbox).to.deep.equal({ grossNanos: DEAREST, invalidNanos: 0 });
    });
  });
});
