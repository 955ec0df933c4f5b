import { adjustment } from '../../actors/adjustment/adjustment.ts';
import type { AdjustmentState } from '../../actors/adjustment/state.ts';
import { reportWindowOfMonth } from '../../actors/ledger/report/month.ts';
import { statementId } from '../../actors/statement/statement-id.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { AuditPeriod } from './audit-period.ts';
import type { Difference } from './difference.ts';
import type { LedgerSums } from './ledger-sums.ts';
import { addMoney, moneyText, noMoney, withinMoney } from './money-sum.ts';

/** All adjustments, by the sources on whose statements they belong. */
export class AdjustedTrades {
  readonly #trades: readonly AdjustmentState[];
  readonly #bySource = new Map<string, AdjustmentState[]>();

  private constructor(trades: readonly AdjustmentState[]) {
    this.#trades = trades;
    for (const trade of trades) {
      for (const source of [`publisher:${trade.publisherId}`, `dsp:${trade.dspId}`]) {
        const others = this.#bySource.get(source);
        if (others) others.push(trade);
        else this.#bySource.set(source, [trade]);
      }
    }
  }

  static async read(store: Pick<StateStore, 'scan'>): Promise<AdjustedTrades> {
    const trades: AdjustmentState[] = [];
    for await (const { deleted, state } of store.scan(adjustment.kind)) {
      if (!deleted) trades.push(state as AdjustmentState);
    }
    return new AdjustedTrades(trades);
  }

  /** `source` is `<scope>:<id>`. */
  of(source: string): readonly AdjustmentState[] {
    return this.#bySource.get(source) ?? [];
  }

  /** The statements of both sides on which an adjustment belongs. */
  statementsDue(): string[] {
    return this.#trades.flatMap(({ publisherId, dspId, booked }) =>
      booked.flatMap(({ month }) => [statementId('publisher', publisherId, month), statementId('dsp', dspId, month)]),
    );
  }

  /**
   * Checks that no more is taken back than the ledgers say was traded, for the audited months; ledgers from before the
   * day `archivedBefore` may be archived.
   */
  check({ soldTo, boughtFrom }: LedgerSums, { fromMs, toMs }: AuditPeriod, archivedBefore: string): Difference[] {
    const differences: Difference[] = [];
    for (const { publisherId, dspId, period, booked } of this.#trades) {
      const window = reportWindowOfMonth(period);
      if (window === null || window.fromMs < fromMs || window.toMs > toMs || `${period}-01` < archivedBefore) continue;
      const back = noMoney();
      for (const { impressions, grossNanos, feeNanos } of booked) {
        addMoney(back, { impressions, grossNanos: BigInt(grossNanos), feeNanos: BigInt(feeNanos) });
      }
      const sides = [soldTo, boughtFrom].map((table) => {
        const traded = noMoney();
        for (const key of table.keys) {
          const [environment, day = '', , publisher, dsp] = key.split(' ');
          if (environment !== 'live' || !day.startsWith(period)) continue;
          if (publisher === publisherId && dsp === dspId) addMoney(traded, table.of(key));
        }
        return traded;
      });
      // When one side's page has reached its bound of counterparties, the other side may still name this one.
      if (sides.some((traded) => withinMoney(back, traded))) continue;
      differences.push({
        check: 'adjustments within what was traded',
        where: `${period} publisher ${publisherId}, demand source ${dspId}`,
        expected: `at most ${moneyText(sides[0]!)}`,
        found: moneyText(back),
      });
    }
    return differences;
  }
}
