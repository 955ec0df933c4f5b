import { expect } from 'chai';
import type { Totals } from '#actors/ledger/messages';
import { unpackPage } from '#actors/ledger/packed-page';
import { emptyLedger, ledgerHandlers } from '#actors/ledger/reduce';
import { reportWindowOf } from '#actors/ledger/report/period';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { LedgerState } from '#actors/ledger/state';

const NOON_MS = Date.UTC(2026, 2, 14, 12);
const MINUTE_MS = 60_000;
const ID = 'publisher:publisher-1:2026-03-14';

function totals(minute: number, version: number, counts: Record<string, number>, impressions = 0): Totals {
  const sum = { impressions, grossNanos: impressions * 1000, feeNanos: 0 };
  const named = impressions === 0 ? [] : [{ id: 'dsp-1', ...sum }];
  return {
    partition: 3,
    minuteMs: NOON_MS + minute * MINUTE_MS,
    version: `${NOON_MS + minute * MINUTE_MS}-${version}`,
    regions: [{ region: 'fra', ...sum, counts, counterparties: named, creatives: [] }],
  };
}

function tell(state: LedgerState, ...all: readonly Totals[]): LedgerState {
  for (const body of all) {
    const context = { id: ID, address: `ledger/${ID}`, nowMs: body.minuteMs, position: body.version, random: () => 0 };
    ledgerHandlers.totals(state, body, context);
  }
  return state;
}

describe('a ledger’s counts of invalid traffic', () => {
  const FIRST = { 'invalid/bot-user-agent': 1, invalidNanos: 5 };
  const SECOND = {
    'invalid/bot-user-agent': 3,
    invalidNanos: 15,
    'revalidated/bot-user-agent': 1,
    revalidatedNanos: 5,
  };
  const LATER = { 'invalid/data-centre': 2, invalidNanos: 10 };

  it('are absolute: repetitions, late echoes and newer versions count each call once, at every grain', () => {
    const state = tell(
      emptyLedger(ID),
      totals(0, 0, FIRST),
      totals(0, 0, FIRST),
      totals(0, 5, SECOND, 1),
      totals(0, 0, FIRST),
      totals(4, 1, LATER),
      totals(9, 1, {}, 1),
    );
    const all = { ...SECOND, 'invalid/data-centre': 2, invalidNanos: 25 };
    for (const period of ['1h', '24h', '7d'] as const) {
      const sum = sumLedgers([{ id: ID, state }], reportWindowOf(period, NOON_MS + 10 * MINUTE_MS));
      expect(Object.fromEntries(sum.counts), period).to.deep.equal(all);
      expect(sum.impressions, period).to.equal(2);
    }
    const minute = state.minutes[12 * 60] as string;
    expect(minute, 'is packed').to.be.a('string');
    expect(unpackPage(minute, state.names).fra!.counts).to.deep.equal(SECOND);
  });

  it('make a ledger of their own of a day without any impression', () => {
    const state = tell(emptyLedger(ID), totals(0, 0, FIRST));
    const [page] = Object.values(state.days);
    expect(page!.fra).to.deep.include({ impressions: 0, counterparties: {}, creatives: {}, counts: FIRST });
    expect(state.slots).to.deep.equal({});
  });

  it('are refused before a sum could be inexact, and nothing has changed then', () => {
    const state = tell(emptyLedger(ID), totals(0, 0, { invalidNanos: Number.MAX_SAFE_INTEGER }));
    const before = JSON.stringify(state.hours);
    expect(() => tell(state, totals(1, 0, { invalidNanos: 1 }))).to.throw();
    expect(JSON.stringify(state.hours)).to.equal(before);
  });
});
