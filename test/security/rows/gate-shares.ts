import type { SecurityRows } from '../attack.ts';

const SHARES = 'edge/budgets/publisher-shares.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'publisher',
      attack:
        'asks as fast as it can and renders nothing, so that a whole budget is reserved for two hours (100 cents in 5 s)',
      outcome: 'holds 5 cents of 100; other publishers sell the rest',
      file: SHARES,
      title: 'is 5 % of it at most for one that renders nothing, however often it asks',
    },
    {
      by: 'publisher',
      attack: 'asks several edges at once for the same',
      outcome: 'its share is one over all edges, and an impression of each edge beyond it at most',
      file: SHARES,
      title: 'is bounded over all edges together, whichever sells, renders and learns of the others',
    },
  ],
  budgets: [
    {
      of: 'publisher',
      resource: 'budget',
      bound:
        'unrendered, of one budget: 5 % (`NEW_PUBLISHER_SHARE_PERCENT`), or twice the share of its wins that it renders; four impressions at least',
      file: SHARES,
      title: 'lets a publisher that renders 40 % of what it wins, seconds later, sell a budget to its end',
    },
  ],
};
