import Type, { type Static } from 'typebox';
import type { LedgerSum } from '#actors/ledger/report/ledger-sum';
import { adjustmentLineNanos, dueAfterAdjustments } from '#actors/statement/adjustment-lines';
import type { LateSum } from '#actors/statement/figures';
import type { AdjustmentLine } from '#actors/statement/messages';
import type { FrozenStatement } from '#actors/statement/statement';
import type { StatementScope } from '#actors/statement/statement-id';
import { centsOf, exactCentsOf } from '#exchange/money/cents';
import type { Table } from '../../routing/table.ts';
import { explainInvalid, InvalidTraffic, showInvalidTraffic } from '../invalid-traffic.ts';
import { oneRow } from './one-row.ts';

/** The fields of billing in addition to the objects of the specification; each is present only when it applies. */
export const statementExtraFields = {
  late_impressions: Type.Optional(
    Type.Integer({
      description:
        'Of the impressions: those sold in an earlier month and rendered in this one. Absent when there are none.',
    }),
  ),
  late_gross_cents: Type.Optional(
    Type.Number({ description: 'Their gross, part of the above, with up to 4 decimals. Absent when there are none.' }),
  ),
  invalid_traffic: Type.Optional(InvalidTraffic),
  adjustments: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        period: Type.String({ description: 'The month in which the impressions were billed.' }),
        campaign_id: Type.Union([Type.String(), Type.Null()], {
          description:
            'The campaign of the demand source whose impressions they were; null when none was named. Always null for a publisher.',
        }),
        impressions: Type.Integer(),
        gross_cents: Type.Number({ description: 'What they were billed before fees. Exact, up to 7 decimals.' }),
        amount_cents: Type.Number({
          description:
            'What the line changes of what is due, below 0: with the fee, as it is due. Exact, up to 7 decimals: whole nano-dollars.',
        }),
        reason: Type.String({ examples: ['data-centre'] }),
        description: Type.String(),
      }),
      {
        description:
          'Billed impressions that were found to be invalid later, taken back in this month: in none of the figures above. Absent when there are none.',
      },
    ),
  ),
  due_after_adjustments_cents: Type.Optional(
    Type.Integer({
      description:
        'What is due with the adjustments, rounded half-even once from exact sums; below 0 when more is taken back. Absent when there are none.',
    }),
  ),
  finalized_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the statement was frozen, a while after the month’s end.' }),
  ),
  pages_sha256: Type.Optional(
    Type.String({
      description:
        'SHA-256 of the ledgers’ pages that the statement sums, as the exchange’s documentation writes them: who keeps it can tell that they are still the same.',
    }),
  ),
};

/** The fields of an answer that have a column in every row, even when the answer lacks them. */
interface BilledRow extends LateFigures, Readonly<Record<string, unknown>> {
  readonly invalid_traffic?: {
    readonly total: number;
    readonly billed_later: number;
    readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  };
  readonly adjustments?: readonly {
    readonly id: string;
    readonly impressions: number;
    readonly amount_cents: number;
  }[];
  readonly due_after_adjustments_cents?: number;
  readonly finalized_at?: string;
  readonly pages_sha256?: string;
}

interface LateFigures {
  readonly late_impressions?: number;
  readonly late_gross_cents?: number;
}

type ShownAdjustments = Static<(typeof statementExtraFields)['adjustments']>;

interface CorrectionFigures {
  readonly invalid_traffic?: InvalidTraffic;
  readonly adjustments?: NonNullable<ShownAdjustments>;
  readonly due_after_adjustments_cents?: number;
}

interface ClosingFigures extends LateFigures, CorrectionFigures {
  readonly finalized_at: string;
  readonly pages_sha256: string;
}

/** The late figures of the present month. */
export function lateFiguresOf({ impressions, grossNanos }: LateSum): LateFigures {
  return impressions === 0 ? {} : { late_impressions: impressions, late_gross_cents: centsOf(grossNanos) };
}

/**
 * The figures of invalid traffic in a month: impressions that were not billed, and adjustments that the month took
 * back. Empty when there were none.
 */
export function correctionFiguresOf(
  scope: StatementScope,
  sum: Pick<LedgerSum, 'grossNanos' | 'feeNanos' | 'counts'>,
  lines: readonly AdjustmentLine[],
  feePpm: number,
): CorrectionFigures {
  return showCorrections(scope, sum.counts, lines, feePpm, dueAfterAdjustments(scope, sum, lines, feePpm));
}

function showCorrections(
  scope: StatementScope,
  counts: ReadonlyMap<string, number>,
  lines: readonly AdjustmentLine[],
  feePpm: number,
  dueAfterCents: number,
): CorrectionFigures {
  const invalid = showInvalidTraffic(counts);
  const adjustments = lines.map((line) => ({
    ...{ id: line.id, period: line.period },
    // A publisher sees nothing of the buyer but its id; the line itself, also a frozen one, names the campaign.
    campaign_id: scope === 'publisher' ? null : line.campaignId,
    impressions: line.impressions,
    gross_cents: exactCentsOf(BigInt(line.grossNanos)),
    amount_cents: exactCentsOf(adjustmentLineNanos(scope, line, feePpm)),
    reason: line.reason,
    description: explainInvalid(line.reason),
  }));
  return {
    ...(invalid.reasons.length === 0 ? {} : { invalid_traffic: invalid }),
    ...(lines.length === 0 ? {} : { adjustments, due_after_adjustments_cents: dueAfterCents }),
  };
}

/** The figures that only a frozen statement has. */
export function closingFiguresOf(scope: StatementScope, frozen: FrozenStatement): ClosingFigures {
  const { lateImpressions, lateGrossNanos, finalizedAtMs, pagesSha256, feePpm, dueCents } = frozen;
  const { invalid = {}, adjustments = [], dueAfterCents = dueCents } = frozen;
  return {
    ...showCorrections(scope, new Map(Object.entries(invalid)), adjustments, feePpm, dueAfterCents),
    ...lateFiguresOf({ impressions: lateImpressions, grossNanos: BigInt(lateGrossNanos) }),
    finalized_at: new Date(finalizedAtMs).toISOString(),
    pages_sha256: pagesSha256,
  };
}

/** The answer as a table of one row, which has the same columns for every month. */
export function billingRow(answer: BilledRow): Table {
  const { late_impressions = 0, late_gross_cents = 0, finalized_at = '', pages_sha256 = '' } = answer;
  const { invalid_traffic, adjustments = [], due_after_adjustments_cents = '', ...others } = answer;
  const { late_impressions: _, late_gross_cents: __, finalized_at: ___, pages_sha256: ____, ...rest } = others;
  return oneRow({
    ...(rest as Parameters<typeof oneRow>[0]),
    ...{ late_impressions, late_gross_cents, finalized_at, pages_sha256 },
    // Columns of later releases stand behind those of earlier ones.
    invalid_impressions: invalid_traffic?.total ?? 0,
    invalid_reasons: (invalid_traffic?.reasons ?? []).map(({ reason, count }) => `${reason}=${count}`).join(' '),
    adjusted_impressions: adjustments.reduce((sum, { impressions }) => sum + impressions, 0),
    adjustments: adjustments.map(({ id, amount_cents }) => `${id}=${amount_cents}`).join(' '),
    due_after_adjustments_cents,
    invalid_billed_later: invalid_traffic?.billed_later ?? 0,
  });
}
