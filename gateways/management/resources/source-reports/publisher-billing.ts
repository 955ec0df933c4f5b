import Type, { type Static } from 'typebox';
import type { Scope } from '#actors/account/scope';
import { Uuid } from '#actors/api-schemas';
import type { LedgerOwner } from '#actors/ledger/report/period';
import { payout } from '#actors/ledger/report/statement';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import type { PublisherState } from '#actors/publisher/reduce';
import { payoutOfStatement } from '#actors/statement/api-statement';
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

/** What a publisher is paid for a month (specification, Publisher billing), with the figures behind it. */
export const PublisherBilling = Type.Object({
  publisher: Type.String({ description: 'Its name.' }),
  publisher_id: Uuid,
  month: Month,
  status: Type.Enum(['in_progress', 'finalized']),
  payout: Type.Object({
    gross_revenue_cents: Type.Integer(),
    fee_percent: Type.Number(),
    fee_cents: Type.Integer(),
    net_payout_cents: Type.Integer(),
    impressions: Type.Integer(),
    currency: Type.Literal('USD'),
  }),
  ...statementExtraFields,
});

/**
 * The payout of a publisher for a month; the default is the present month.
 *
 * @throws ApiError INVALID_PARAMS for a month that has not begun, SERVICE_UNAVAILABLE while the ledgers of a month that
 *   is over are not complete
 */
export async function billPublisher(
  deps: ManagementDeps,
  id: string,
  own: PublisherState,
  requestedMonth: string | undefined,
  { sandboxOnly }: Pick<Scope, 'sandboxOnly'> = { sandboxOnly: false },
): Promise<Static<typeof PublisherBilling>> {
  const billed = billedMonth(requestedMonth, deps.clock.now());
  const { month, status, window } = billed;
  const { name, sandbox, sandboxGeneration, feePpm } = own;
  const ofPublisher = {
    scope: 'publisher',
    id: id,
    sandbox,
    sandboxGeneration,
  } as const satisfies LedgerOwner;
  const heading = { publisher: name, publisher_id: id, month, status };
  const closed = sandboxOnly ? null : await closedStatement(deps, ofPublisher, billed, own);
  if (closed !== null)
    return { ...heading, payout: payoutOfStatement(closed), ...closingFiguresOf('publisher', closed) };
  const ledgers = await loadLedgersOf(deps, [ofPublisher], window);
  const sum = sumLedgers(ledgers, window);
  // Statements contain no sandbox trade.
  const lines = sandbox ? [] : await adjustmentLinesOf(deps.store, ofPublisher, month);
  const corrections = correctionFiguresOf('publisher', sum, lines, feePpm);
  return { ...heading, payout: payout(sum, feePpm), ...lateFiguresOf(sumLate(ledgers, window.fromMs)), ...corrections };
}

export const publisherBilling = defineRoute({
  method: 'GET',
  path: '/api/source/billing',
  tag: 'Source reports',
  operationId: 'getSourceBilling',
  summary: "Read a month's payout of the key's publisher",
  description:
    'Whole cents: gross less fee is net. Gross and net are rounded half-even once, from exact sums; the fee is what lies between. Each impression was charged the fee of its moment, `fee_percent` is the one configured now, or when the month was finalized. A month that has not begun is 400. One that is over is finalized: frozen for good when its books are complete, which the first call waits for some seconds; 503 while they are not. What was sold in an earlier month and rendered in this one is paid with this one, and stated. A publisher in the sandbox reads its sandbox books, which are never frozen; of a month that is over and in which it was live, the statement.',
  access: 'publisher-key',
  query: BillingQuery,
  answer: {
    status: 200,
    schema: PublisherBilling,
    csv: billingRow,
  },
  examples: {
    answer: {
      publisher: 'Harbour News',
      publisher_id: '00000000-0000-4000-8000-00000000000a',
      month: '2026-03',
      status: 'finalized',
      payout: {
        gross_revenue_cents: 250,
        fee_percent: 15,
        fee_cents: 38,
        net_payout_cents: 212,
        impressions: 1000,
        currency: 'USD',
      },
    },
  },
  async handle({ query, source, parts }) {
    return billPublisher(parts, source.id, (await loadOwnSource(parts, source)) as PublisherState, query.month);
  },
});
