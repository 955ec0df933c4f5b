import Type, { type Static } from 'typebox';
import type { Scope } from '#actors/account/scope';
import { Uuid } from '#actors/api-schemas';
import type { DspState } from '#actors/dsp/reduce';
import type { LedgerOwner } from '#actors/ledger/report/period';
import { invoice } from '#actors/ledger/report/statement';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { invoiceOfStatement } from '#actors/statement/api-statement';
import { sumLate } from '#actors/statement/figures';
import type { ManagementDeps } from '../../deps.ts';
import { defineRoute } from '../../routing/route.ts';
import { adjustmentLinesOf } from '../adjustments/adjustment-lines.ts';
import { loadLedgersOf } from '../metrics/load-ledgers.ts';
import { closedStatement } from './closed-statement.ts';
import { loadOwnSource } from './own-source.ts';
import { BillingQuery, billedMonth, Month } from './report-query.ts';
import {
  billingRow,
  closingFiguresOf,
  correctionFiguresOf,
  lateFiguresOf,
  statementExtraFields,
} from './statement-extras.ts';

/** What a demand source owes for a month (specification, DSP billing), with the figures behind it. */
export const DspBilling = Type.Object({
  dsp: Type.String({ description: 'Its name.' }),
  dsp_id: Uuid,
  month: Month,
  status: Type.Enum(['in_progress', 'finalized']),
  invoice: Type.Object({
    spend_cents: Type.Integer(),
    fee_percent: Type.Number(),
    fee_cents: Type.Integer(),
    total_due_cents: Type.Integer(),
    wins: Type.Integer({
      description:
        'Impressions that were billed: auctions won whose ad was rendered. Metrics and stats count all that were won.',
    }),
    currency: Type.Literal('USD'),
  }),
  ...statementExtraFields,
});

/**
 * The invoice of a demand source for a month; the default is the present month.
 *
 * @throws ApiError INVALID_PARAMS for a month that has not begun, SERVICE_UNAVAILABLE while the ledgers of a month that
 *   is over are not complete
 */
export async function billDsp(
  deps: ManagementDeps,
  id: string,
  own: DspState,
  requestedMonth: string | undefined,
  { sandboxOnly }: Pick<Scope, 'sandboxOnly'> = { sandboxOnly: false },
): Promise<Static<typeof DspBilling>> {
  const billed = billedMonth(requestedMonth, deps.clock.now());
  const { month, status, window } = billed;
  const { name, sandbox, sandboxGeneration, feePpm } = own;
  const ofDsp = { scope: 'dsp', id: id, sandbox, sandboxGeneration } as const satisfies LedgerOwner;
  const heading = { dsp: name, dsp_id: id, month, status };
  const closed = sandboxOnly ? null : await closedStatement(deps, ofDsp, billed, own);
  if (closed !== null) return { ...heading, invoice: invoiceOfStatement(closed), ...closingFiguresOf('dsp', closed) };
  const ledgers = await loadLedgersOf(deps, [ofDsp], window);
  const sum = sumLedgers(ledgers, window);
  // Statements contain no sandbox trade.
  const lines = sandbox ? [] : await adjustmentLinesOf(deps.store, ofDsp, month);
  const corrections = correctionFiguresOf('dsp', sum, lines, feePpm);
  return {
    ...heading,
    invoice: invoice(sum, feePpm),
    ...lateFiguresOf(sumLate(ledgers, window.fromMs)),
    ...corrections,
  };
}

export const dspBilling = defineRoute({
  method: 'GET',
  path: '/api/demand/billing',
  tag: 'Source reports',
  operationId: 'getDemandBilling',
  summary: "Read a month's invoice of the key's demand source",
  description:
    'Whole cents: spend and fee are the total due. Spend and total are rounded half-even once, from exact sums; the fee is what lies between. `wins` are those that rendered, for they are billed. A month that has not begun is 400. One that is over is finalized: frozen for good, with the fee of that moment, when its books are complete, which the first call waits for some seconds; 503 while they are not. What was bought in an earlier month and rendered in this one is billed with this one, and stated. A demand source in the sandbox reads its sandbox books, which are never frozen; of a month that is over and in which it was live, the statement.',
  access: 'dsp-key',
  query: BillingQuery,
  answer: {
    status: 200,
    schema: DspBilling,
    csv: billingRow,
  },
  examples: {
    answer: {
      dsp: 'Harbour Buyers',
      dsp_id: '00000000-0000-4000-8000-00000000000b',
      month: '2026-03',
      status: 'finalized',
      invoice: {
        spend_cents: 250,
        fee_percent: 5,
        fee_cents: 12,
        total_due_cents: 262,
        wins: 1000,
        currency: 'USD',
      },
    },
  },
  async handle({ query, source, parts }) {
    return billDsp(parts, source.id, (await loadOwnSource(parts, source)) as DspState, query.month);
  },
});
