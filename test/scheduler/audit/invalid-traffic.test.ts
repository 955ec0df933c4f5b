import { expect } from 'chai';
import { adjustmentId } from '#actors/adjustment/adjustment-id';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import type { LedgerState } from '#actors/ledger/state';
import { statementId } from '#actors/statement/statement-id';
import { encodeEnvelope } from '#runtime/node/envelope';
import { auditBooks } from '#scheduler/audit/audit-books';
import { parkedMoney, statementBlocker } from '#scheduler/billing/parked-money';
import { auditing, checksOf } from './auditing.ts';
import { books, DAY, DAY_MS, documentOf, MARCH, ofAccount, ofDsp, ofPlatform, ofPublisher, paid } from './books.ts';

/** One more of the first reason in the first hour that has any, at every grain. */
function oneMoreIn(state: LedgerState): void {
  const hour = Object.values(state.hours).find((page) => page.fra?.counts.invalidNanos !== undefined)!;
  for (const page of [hour, ...Object.values(state.days)]) {
    const name = Object.keys(hour.fra!.counts).find((counted) => counted.startsWith('invalid/'))!;
    page.fra!.counts[name]! += 1;
  }
}

describe('scheduler/audit of invalid traffic', () => {
  const at = auditing();
  const { audited } = at;

  it('finds every id that rollups have as billed or invalid, once', async () => {
    const one = await audited(`tally/0:${DAY}`, ({ day }: ImpressionRollupState) => {
      day.taken! += 1;
    });
    expect(checksOf(one)).to.deep.equal(['ids taken in are billed or invalid']);
  });

  for (const [side, address, check, others] of [
    ['a publisher', ofPublisher, 'invalid traffic of publishers makes the platform’s', true],
    ['a demand source', ofDsp, 'invalid traffic of demand sources makes the platform’s', true],
    ['an account', ofAccount, 'invalid traffic of accounts makes the platform’s', false],
  ] as const) {
    it(`notices one invalid impression more with ${side}`, async () => {
      const checks = [check, ...(others ? ['statements are what their ledgers come to'] : [])].sort();
      expect(checksOf(await audited(`ledger/${address}`, oneMoreIn))).to.deep.equal(checks);
    });
  }

  it('notices one more invalid impression at the platform, which its rollups do not have', async () => {
    expect(checksOf(await audited(`ledger/${ofPlatform}`, oneMoreIn))).to.deep.equal([
      'invalid traffic of accounts makes the platform’s',
      'invalid traffic of demand sources makes the platform’s',
      'invalid traffic of publishers makes the platform’s',
      'invalid traffic of tallies is in the ledgers',
    ]);
  });

  for (const [what, spoil] of [
    [
      'another count of invalid traffic than was frozen',
      ({ frozen }: { frozen: { invalid: Record<string, number> } }) => {
        frozen.invalid['invalid/data-centre'] = 1_000;
      },
    ],
    [
      'no invalid traffic though there was some',
      ({ frozen }: { frozen: { invalid?: unknown } }) => void delete frozen.invalid,
    ],
  ] as const) {
    it(`notices a statement that says ${what}`, async () => {
      expect(checksOf(await audited(`statement/${paid}`, spoil))).to.deep.equal([
        'statements are what their ledgers come to',
      ]);
    });
  }

  it('accepts what a ledger lacks of invalid traffic when its totals were discarded, and no more than that', async () => {
    const lacking = (nanos: number) => (state: LedgerState) => {
      for (const page of [...Object.values(state.hours), ...Object.values(state.days)]) {
        for (const { counts } of Object.values(page)) if (counts.invalidNanos) counts.invalidNanos -= nanos;
      }
    };
    const counts = { 'invalid/data-centre': 1, invalidNanos: 50 };
    const body = { regions: [{ region: 'fra', impressions: 0, grossNanos: 0, feeNanos: 0, counts }] };
    const to = `ledger/${ofAccount}`;
    const position = `${DAY_MS}-0`;
    const letter = { id: `0:${position}`, partition: 0, position, to, type: 'totals', reason: 'test' };
    await at.store.park([
      { ...letter, payload: encodeEnvelope({ to, type: 'totals', body }), parkedAtMs: DAY_MS, replayedAtMs: null },
    ]);
    await at.store.markDiscarded(letter.id, { atMs: DAY_MS, by: 'o', why: 'w' });
    const few = await audited(to, lacking(1));
    expect(checksOf(few)).to.deep.equal([]);
    expect(few.accepted.map(({ check }) => check)).to.include('invalid traffic of accounts makes the platform’s');
  });

  it('holds statements for a parked invalid impression as for one that is billed', async () => {
    const to = 'tally/0';
    const position = `${DAY_MS}-0`;
    const body = { publisher: 'publisher-a', dsp: 'dsp-x', priceCpmMicros: 2_500, reason: 'self-fired' };
    const payload = encodeEnvelope({ to, type: 'invalid', body });
    await at.store.park([
      ...[{ id: `0:${position}`, partition: 0, position, to, type: 'invalid', payload, reason: 'test' }].map(
        (letter) => ({
          ...letter,
          parkedAtMs: DAY_MS,
          replayedAtMs: null,
        }),
      ),
    ]);
    const parked = await parkedMoney(at.store, MARCH.toMs);
    expect(statementBlocker(parked, { scope: 'dsp', id: 'dsp-x' }, '2026-03')).to.match(
      /^an invalid impression is parked/,
    );
    expect(statementBlocker(parked, { scope: 'dsp', id: 'dsp-y' }, '2026-03')).to.equal(null);
  });
});

describe('scheduler/audit of adjustments', () => {
  const at = auditing();
  const TRADE = { publisherId: 'publisher-a', dspId: 'dsp-x', period: '2026-03' };
  const id = adjustmentId(TRADE);

  /** Of March, booked in it, one adjustment; `spoil` changes what stands in the store. */
  async function audited(grossNanos: string, spoil: (documents: ReturnType<typeof books>) => void = () => {}) {
    const booked = {
      ...{ id: `${id}:1`, month: '2026-03', campaignId: null, impressions: 1, grossNanos, feeNanos: '100' },
      ...{ reason: 'data-centre', note: '', by: 'o', bookedAtMs: DAY_MS },
    };
    const documents = books([{ ...TRADE, booked: [booked] }]);
    documents.set(`adjustment/${id}`, documentOf('adjustment', id, { ...TRADE, booked: [booked] }));
    spoil(documents);
    await at.store.save([...documents.values()]);
    return auditBooks(at.store, MARCH);
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever can be spoilt
  const frozenOf = (documents: ReturnType<typeof books>, scope: 'publisher' | 'dsp', of: string): any =>
    (documents.get(`statement/${statementId(scope, of, '2026-03')}`)!.state as { frozen: unknown }).frozen;

  it('finds both sides’ statements to be what was booked', async () => {
    const audit = await audited('1000', (documents) => {
      expect(frozenOf(documents, 'publisher', 'publisher-a').adjustments).to.have.length(1);
      expect(frozenOf(documents, 'dsp', 'dsp-x').adjustments).to.deep.equal(
        frozenOf(documents, 'publisher', 'publisher-a').adjustments,
      );
      expect(frozenOf(documents, 'dsp', 'dsp-y').adjustments).to.equal(undefined);
    });
    expect(audit.differences).to.deep.equal([]);
  });

  it('notices an adjustment that one side’s statement lacks, or says otherwise', async () => {
    const lacks = await audited('1000', (documents) => {
      const frozen = frozenOf(documents, 'dsp', 'dsp-x');
      delete frozen.adjustments;
      delete frozen.dueAfterCents;
    });
    expect(checksOf(lacks)).to.deep.equal(['statements are what their ledgers come to']);
    const other = await audited('1000', (documents) => {
      frozenOf(documents, 'publisher', 'publisher-a').dueAfterCents += 1;
    });
    expect(checksOf(other)).to.deep.equal(['statements are what their ledgers come to']);
  });

  it('notices one that was deleted after it was frozen', async () => {
    const audit = await audited('1000', (documents) => void documents.delete(`adjustment/${id}`));
    expect(checksOf(audit)).to.deep.equal(['statements are what their ledgers come to']);
  });

  it('notices that more was taken back than was traded', async () => {
    expect(checksOf(await audited('1000000000000'))).to.deep.equal(['adjustments within what was traded']);
  });
});
