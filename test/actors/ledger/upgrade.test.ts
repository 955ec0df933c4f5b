import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { ledger } from '../../../actors/ledger/ledger.ts';
import { ledgerId } from '../../../actors/ledger/ledger-id.ts';
import type { Page } from '../../../actors/ledger/page.ts';
import { type Period, windowOf } from '../../../actors/ledger/report/period.ts';
import { sumLedgers } from '../../../actors/ledger/report/sum.ts';

const MINUTE_MS = 60_000;
/** 18:05 UTC. */
const NOW_MS = Date.UTC(2026, 2, 14, 18, 5);
const ID = ledgerId('publisher', 'publisher-1', NOW_MS, false);
const MINUTE = 18 * 60 + 5;

function pageOf(impressions: number): Page {
  const sum = { impressions, grossNanos: 2_500 * impressions, feeNanos: 250 * impressions };
  const region = { ...sum, counts: { auctions: impressions }, latency: { 7: impressions } };
  return { fra: { ...region, counterparties: { ':dsp-1': { ...sum, bids: impressions } }, creatives: {} } };
}

/** A publisher that showed an ad every minute of the day, as version 3 kept it. */
function version3() {
  const pages = (lengthMinutes: number, from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: to - from + 1 }, (_, index) => {
        const first = (from + index) * lengthMinutes;
        return [from + index, pageOf(Math.min(lengthMinutes, MINUTE + 1 - first))];
      }),
    );
  const minuteMs = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
  const one = { impressions: 1, grossNanos: 2_500, feeNanos: 250 };
  return {
    filedUnder: 'live/2026-03-14',
    minutes: pages(1, MINUTE - 69, MINUTE),
    tenMinutes: pages(10, 108 - 42, 108),
    hours: pages(60, 0, 18),
    open: {
      5: {
        minuteMs,
        version: `${minuteMs}-4`,
        regions: [{ region: 'fra', ...one, counterparties: [{ id: 'dsp-1', ...one }], creatives: [] }],
        slots: [{ slotMs: minuteMs, impressions: 1, grossNanos: 2_500 }],
      },
    },
    slots: {},
  };
}

describe('a ledger of an older release', () => {
  const state = ledger.upgrade!(version3(), 3) as ReturnType<typeof ledger.initial>;

  it('says the same of every period', () => {
    const impressions = (period: Period) => sumLedgers([{ id: ID, state }], windowOf(period, NOW_MS));
    expect(impressions('1h')).to.include({ impressions: 61, grossNanos: 61n * 2_500n });
    // To ten minutes at the far end, as it always did: what is older lies at the beginning of its ten minutes.
    expect(impressions('6h').impressions).to.be.within(350, 361);
    for (const period of ['today', '24h', '7d', '30d'] as const) {
      const sum = impressions(period);
      expect(sum, period).to.include({ impressions: MINUTE + 1, feeNanos: BigInt(MINUTE + 1) * 250n });
      expect(sum.counterparties.get('dsp-1')).to.include({ impressions: MINUTE + 1, bids: MINUTE + 1 });
      expect(sum.latency).to.deep.equal({ 7: MINUTE + 1 });
    }
  });

  it('of version 4 is as it was: nobody said then what was sold under no lease', () => {
    const { unleased, ...version4 } = state;
    expect(unleased).to.deep.equal({});
    expect(ledger.upgrade!(version4, 4)).to.deep.equal(state);
  });

  it('is of the newest schema, and goes on where it was', () => {
    expect(Compile(ledger.state).Errors(JSON.parse(JSON.stringify(state)))).to.deep.equal([]);
    const minuteMs = Math.floor(NOW_MS / MINUTE_MS) * MINUTE_MS;
    const sum = { impressions: 3, grossNanos: 7_500, feeNanos: 750 };
    const context = { id: ID, address: `ledger/${ID}`, nowMs: NOW_MS, position: `${minuteMs}-5`, random: () => 0 };
    const regions = [{ region: 'fra', ...sum, counterparties: [{ id: 'dsp-1', ...sum }], creatives: [] }];
    const totals = { partition: 5, minuteMs, version: `${minuteMs}-5`, regions };
    ledger.handle(state, { type: 'totals', body: totals }, context);
    // Two more than the one that it was told of before.
    expect(sumLedgers([{ id: ID, state }], windowOf('7d', NOW_MS)).impressions).to.equal(MINUTE + 3);
  });
});
