import Type from 'typebox';
import { adjustment } from '#actors/adjustment/adjustment';
import type { AdjustmentState } from '#actors/adjustment/state';
import { Uuid } from '#actors/api-schemas';
import { readPages } from '#runtime/ports/read-pages';
import { defineRoute } from '../../routing/route.ts';
import type { Table } from '../../routing/table.ts';
import { paging } from '../fields.ts';
import { monthForm } from '../source-reports/report-query.ts';
import { Adjustment, showAdjustment } from './adjustment.ts';

/**
 * The number of adjusted trades that one read of the store loads. All are read for a page, as a document holds several
 * adjustments: operators book them by hand, so they are few.
 */
const TRADES_AT_ONCE = 50;

export const listAdjustments = defineRoute({
  method: 'GET',
  path: '/api/adjustments',
  tag: 'Operators',
  operationId: 'listAdjustments',
  summary: 'List the adjustments of trades, of all accounts',
  description:
    'In the order of trades, a publisher’s with a demand source in a month, by their ids; those of one trade as they were booked. Also as CSV.',
  access: 'operator',
  query: Type.Object({
    ...paging,
    publisher_id: Type.Optional(Uuid),
    dsp_id: Type.Optional(Uuid),
    month: Type.Optional(
      Type.String({ pattern: monthForm, description: 'Only those on the statements of this month, as YYYY-MM.' }),
    ),
  }),
  answer: {
    status: 200,
    schema: Type.Object({
      adjustments: Type.Array(Adjustment),
      total: Type.Integer({ description: 'How many adjustments there are, on all pages.' }),
      page: Type.Integer(),
    }),
    csv: ({ adjustments }): Table => ({
      columns: Object.keys(Adjustment.properties),
      rows: adjustments.map((one) => Object.values(one).map((value) => value ?? '')),
    }),
  },
  async handle({ query, parts: { store } }) {
    const { page = 1, per_page: perPage = 50, publisher_id: publisherId, dsp_id: dspId, month } = query;
    const where = {
      ...(publisherId === undefined ? {} : { publisherId }),
      ...(dspId === undefined ? {} : { dspId }),
      // The condition leaves out the document of a trade of which nothing could be booked.
      'booked.month': month ?? { gte: '' },
    };
    const first = (page - 1) * perPage;
    const adjustments: Adjustment[] = [];
    let total = 0;
    for await (const documents of readPages(store, adjustment.kind, where, TRADES_AT_ONCE)) {
      for (const { state } of documents) {
        const trade = state as AdjustmentState;
        for (const one of trade.booked) {
          if (month !== undefined && one.month !== month) continue;
          if (total >= first && adjustments.length < perPage) adjustments.push(showAdjustment(trade, one));
          total += 1;
        }
      }
    }
    return { adjustments, total, page };
  },
});
