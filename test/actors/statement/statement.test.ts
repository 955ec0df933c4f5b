import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { emptyLedger } from '#actors/ledger/reduce';
import type { LedgerState } from '#actors/ledger/state';
import { invoiceOfStatement, payoutOfStatement } from '#actors/statement/api-statement';
import { canonicalLedgerText } from '#actors/statement/canonical-text';
import { statementFigures } from '#actors/statement/figures';
import type { StatementFigures } from '#actors/statement/messages';
import { type FrozenStatement, statement } from '#actors/statement/statement';
import { parseStatementId, statementId } from '#actors/statement/statement-id';

const APRIL_MS = Date.parse('2026-04-01T00:00:00Z');

interface Row {
  readonly region: string;
  readonly counterparty: string;
  readonly impressions: number;
  readonly grossNanos: number;
  readonly feeNanos: number;
}

/** A ledger with one hour of money, and a part of it by budget windows. */
function ledgerWith(hour: number, rows: readonly Row[], slots: LedgerState['slots'] = {}): LedgerState {
  const page: LedgerState['hours'][string] = {};
  for (const { region, counterparty, ...sum } of rows) {
    page[region] = {
      ...sum,
      counts: { auctions: 7 },
      latency: {},
      counterparties: { [`:${counterparty}`]: sum },
      creatives: {},
    };
  }
  return { ...emptyLedger('publisher:p:2026-03-01'), hours: { [hour]: page }, slots };
}

const figuresOf = (scope: 'publisher' | 'dsp', rows: Row, feePpm: number, month = '2026-03') =>
  statementFigures(scope, month, [{ id: `${scope}:a:${month}-02`, state: ledgerWith(9, [rows]) }], feePpm);

describe('actors/statement', () => {
  it('rounds once, half to even, so that the parts add up: a publisher', () => {
    // Two impressions at 1,233.0001 CPM, 15 % on one of them: 246.60002 cents, of which 228.1050185 are paid. 247 − 228
    // = 19.
    const rows = { region: 'fra', counterparty: 'x', impressions: 2, grossNanos: 2_466_000_200, feeNanos: 184_950_015 };
    expect(figuresOf('publisher', rows, 150_000)).to.deep.include({ grossCents: 247, feeCents: 19, dueCents: 228 });
    // 0.5 cents are 0, 1.5 are 2: to the even one. Half of 1.5 is 0.75, which is 1; so the fee is 1 too.
    const half = { region: 'fra', counterparty: 'x', impressions: 1, grossNanos: 5_000_000, feeNanos: 0 };
    expect(figuresOf('publisher', half, 0)).to.deep.include({ grossCents: 0, feeCents: 0, dueCents: 0 });
    const oneAndAHalf = { ...half, grossNanos: 15_000_000, feeNanos: 7_500_000 };
    expect(figuresOf('publisher', oneAndAHalf, 500_000)).to.deep.include({ grossCents: 2, feeCents: 1, dueCents: 1 });
  });

  it('rounds once, half to even, so that the parts add up: a demand source', () => {
    // 150 cents and 5 %: 157.5, to the even cent 158; 250 and 5 %: 262.5, to 262.
    const rows = { region: 'fra', counterparty: 'a', impressions: 1_000, grossNanos: 1_500_000_000, feeNanos: 9 };
    expect(figuresOf('dsp', rows, 50_000)).to.deep.include({ grossCents: 150, feeCents: 8, dueCents: 158 });
    const more = { ...rows, grossNanos: 2_500_000_000 };
    expect(figuresOf('dsp', more, 50_000)).to.deep.include({ grossCents: 250, feeCents: 12, dueCents: 262 });
    // A fee of a millionth of 12.3456789 dollars is 0.00123 cents: nothing.
    const tiny = { ...rows, grossNanos: 12_345_678_900 };
    expect(figuresOf('dsp', tiny, 1)).to.deep.include({ grossCents: 1_235, feeCents: 0, dueCents: 1_235 });
  });

  it('is exact beyond what a double holds', () => {
    const rows = { region: 'fra', counterparty: 'a', impressions: 1, grossNanos: Number.MAX_SAFE_INTEGER, feeNanos: 0 };
    const ledgers = ['01', '02', '03'].map((day) => ({ id: `dsp:x:2026-03-${day}`, state: ledgerWith(0, [rows]) }));
    const { grossNanos } = statementFigures('dsp', '2026-03', ledgers, 0);
    expect(grossNanos).to.equal(String(3n * BigInt(Number.MAX_SAFE_INTEGER)));
  });

  it('states what was sold in an earlier month, by budget window', () => {
    const rows = { region: 'fra', counterparty: 'a', impressions: 5, grossNanos: 500, feeNanos: 50 };
    const slots = {
      [APRIL_MS - 300_000]: { impressions: 2, grossNanos: 200 },
      [APRIL_MS]: { impressions: 3, grossNanos: 300 },
    };
    const ledgers = [{ id: 'dsp:x:2026-04-01', state: ledgerWith(0, [rows], slots) }];
    const figures = statementFigures('dsp', '2026-04', ledgers, 0);
    expect(figures).to.include({ impressions: 5, grossNanos: '500', lateImpressions: 2, lateGrossNanos: '200' });
  });

  it('hashes a text that any reader can write again', () => {
    const rows = [
      { region: 'nyc', counterparty: 'b', impressions: 1, grossNanos: 3, feeNanos: 1 },
      { region: 'fra', counterparty: 'a', impressions: 2, grossNanos: 5, feeNanos: 0 },
      { region: 'lon', counterparty: 'a', impressions: 0, grossNanos: 0, feeNanos: 0 },
    ];
    const slots = { 600000: { impressions: 3, grossNanos: 8 }, 300000: { impressions: 0, grossNanos: 0 } };
    const ledgers = [
      { id: 'publisher:p:2026-03-02', state: ledgerWith(23, rows, slots) },
      { id: 'publisher:p:2026-03-01', state: ledgerWith(4, [rows[1]!]) },
      { id: 'publisher:p:2026-03-03', state: emptyLedger('publisher:p:2026-03-03') },
    ];
    const text =
      '[["publisher:p:2026-03-01",[[4,"fra",2,5,0,[["a",2,5,0]]]],[]],' +
      '["publisher:p:2026-03-02",[[23,"fra",2,5,0,[["a",2,5,0]]],[23,"nyc",1,3,1,[["b",1,3,1]]]],[[600000,3,8]]]]';
    expect(canonicalLedgerText(ledgers)).to.equal(text);
    expect(canonicalLedgerText([...ledgers].reverse()), 'in whatever order').to.equal(text);
    // Counts that an edge tells late are no money.
    ledgers[0]!.state.hours[23]!.fra!.counts.auctions = 99;
    expect(canonicalLedgerText(ledgers)).to.equal(text);
  });

  describe('the actor', () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    const first: StatementFigures = {
      ...{ month: '2026-03', impressions: 3, grossNanos: '31000000', lateImpressions: 0, lateGrossNanos: '0' },
      ...{ feePpm: 100_000, grossCents: 3, feeCents: 0, dueCents: 3, ledgers: 1, pagesSha256: sha('first') },
    };
    const context = (nowMs: number) => ({
      ...{ id: 'publisher:a:2026-03', address: 'statement/publisher:a:2026-03', nowMs, position: `${nowMs}-0` },
      random: () => 0,
    });
    type Freeze = { readonly state?: { readonly frozen: FrozenStatement }; readonly reply: FrozenStatement };
    const freeze = (state: { frozen: FrozenStatement | null }, body: StatementFigures, nowMs: number) =>
      statement.handle(state, { type: 'freeze', body }, context(nowMs)) as Freeze;

    it('keeps the first freeze, and tells later ones what stands', () => {
      const { state, reply } = freeze(statement.initial('publisher:a:2026-03'), first, APRIL_MS + 1);
      expect(reply).to.deep.equal({ ...first, finalizedAtMs: APRIL_MS + 1 });
      expect(state).to.deep.equal({ frozen: reply });
      const later = freeze(state!, { ...first, dueCents: 99, feePpm: 1, pagesSha256: sha('second') }, APRIL_MS + 2);
      expect(later).to.deep.equal({ reply });
    });

    it('reads as the specification’s objects', () => {
      const frozen = { ...first, finalizedAtMs: APRIL_MS };
      expect(payoutOfStatement(frozen)).to.deep.equal({
        gross_revenue_cents: 3,
        fee_percent: 10,
        fee_cents: 0,
        net_payout_cents: 3,
        impressions: 3,
        currency: 'USD',
      });
      expect(invoiceOfStatement(frozen)).to.deep.equal({
        spend_cents: 3,
        fee_percent: 10,
        fee_cents: 0,
        total_due_cents: 3,
        wins: 3,
        currency: 'USD',
      });
    });

    it('has an id that names its source and its month', () => {
      const id = statementId('dsp', 'a:b', '2026-03');
      expect(id).to.equal('dsp:a%3Ab:2026-03');
      expect(parseStatementId(id)).to.deep.equal({ scope: 'dsp', whose: 'a:b', month: '2026-03' });
      expect(() => parseStatementId('platform:x:2026-03')).to.throw('no statement is named');
    });
  });
});
