import Type from 'typebox';
import { adjustment } from '#actors/adjustment/adjustment';
import type { AdjustmentState } from '#actors/adjustment/state';
import { Uuid } from '#actors/api-schemas';
import { defineRoute } from '../../routing/route.ts';
import type { Table } from '../../routing/table.ts';
import { paging } from '../fields.ts';
import { monthForm } from '../source-reports/report-query.ts';
import { Adjustment, showAdjustment } from './adjustment.ts';

export const listAdjustments = defineRoute({
  method: 'GET',
  path: '/api/adjustments',
  tag: 'Operators',
  operationId: 'listAdjustments',
  summary: 'List the adjustments of trades, of all accounts',
  description:
    'A page has so many trades, a publisher’s with a demand source in a month, in the order of their ids, with all adjustments of each. Also as CSV.',
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
      total: Type.Integer({ description: 'How many trades there are.' }),
      page: Type.Integer(),
    }),
    csv: ({ adjustments }): Table => ({
      columns: Object.keys(Adjustment.properties),
      rows: adjustments.map((one) => Object.values(one).map((value) => value ?? '')),
    }),
  },
  async handle({ query, parts: { store } }) {
    const { page = 1, per_page: perPage = 50, publisher_id: publisherId, dsp_id: dspId, month } = query;
    const { documents, total } = await store.query(adjustment.kind, {
      where: {
        ...(publisherId === undefined ? {} : { publisherId }),
        ...(dspId === undefined ? {} : { dspId }),
        // The condition leaves out the document of a trade of which nothing could be booked.
        'booked.month': month ?? { gte: '' },
      },
      orderBy: 'id',
      skip: (page - 1) * perPage,
      limit: perPage,
    });
    const adjustments = documents.flatMap(({ state }) => {
      const trade = state as AdjustmentState;
      const shown = trade.booked.filter((one) => month === undefined || one.month === month);
      return shown.map((one) => showAdjustment(trade, one));
    });
    return { adjustments, total, page };
  },
});
