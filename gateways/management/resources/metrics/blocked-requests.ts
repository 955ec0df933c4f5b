import Type from 'typebox';
import { PERIODS, reportWindowOf } from '#actors/ledger/report/period';
import { type LedgerPages, sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { BLOCK_REASONS } from '#exchange/fraud/block-reason';

/** The fields of blocked ad requests: their number, and the number for each reason that occurred. */
export const blockedFields = {
  period: Type.Enum([...PERIODS]),
  total: Type.Integer({ minimum: 0, description: 'Ad requests that were answered 403.' }),
  reasons: Type.Partial(
    Type.Object(
      Object.fromEntries(
        Object.entries(BLOCK_REASONS).map(([reason, description]) => [
          reason,
          Type.Integer({ minimum: 0, description }),
        ]),
      ),
    ),
    { description: 'How many for each reason; a reason that is not there was none.' },
  ),
};

const FACT = 'blocked/';

export function blockedFigures(
  ledgers: readonly LedgerPages[],
  period: (typeof PERIODS)[number],
  region: string | null,
  nowMs: number,
): { period: (typeof PERIODS)[number]; total: number; reasons: Record<string, number> } {
  const reasons: Record<string, number> = {};
  let total = 0;
  for (const [name, times] of sumLedgers(ledgers, reportWindowOf(period, nowMs), region).counts) {
    if (!name.startsWith(FACT)) continue;
    reasons[name.slice(FACT.length)] = times;
    total += times;
  }
  return { period, total, reasons };
}
