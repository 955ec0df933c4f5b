import { rowsShownIn, type Section } from '../row.ts';

export const money: Section = {
  title: 'Money and the dictionary of metrics',
  rows: [
    ...rowsShownIn('money.test.ts', {
      'money.clearing-price': 'The clearing price is the winning bid’s CPM, rounded once to whole micro-dollars CPM.',
      'money.tracking-price': '`price` on the tracking URL is the clearing CPM × 1,000,000.',
      'money.one-impression': 'One impression moves the clearing CPM ÷ 1000: at 2.50, 0.25 cents.',
      'money.ecpm': 'eCPM = revenue ÷ impressions × 1000, which gives the CPM back.',
      'money.delivered': 'Delivered impressions are billed, not auction wins.',
      'money.spend-is-gross': 'DSP spend equals the publisher’s gross: with no fee, its revenue.',
      'money.auctions': 'auctions: requests that reached the auction, not those answered 400 or 403.',
      'money.bid_requests': 'bid_requests of a publisher: its auctions.',
      'money.bid_requests_sent': 'bid_requests_sent: requests sent to RTB bidders.',
      'money.fill_rate': 'fill_rate: imps answered with an ad ÷ imps auctioned; impressions never enter it.',
      'money.fill_rate.none': 'fill_rate is 0 when nothing was auctioned.',
      'money.win_rate': 'win_rate: wins ÷ bids.',
      'money.avg_cpm': 'avg_cpm: spend ÷ impressions × 1000.',
      'money.cents-decimals': 'Cents are numbers with up to four decimals.',
      'money.pixel-and-burl': 'Pixel and `burl` of one sold imp bill it once.',
      'money.floors-gross': 'Floors are compared with the clearing CPM: the highest of imp, publisher and pool counts.',
    }),
    ...rowsShownIn('demand-funnel.test.ts', {
      'money.timeout_rate': 'timeout_rate: timeouts ÷ bid requests.',
    }),
    ...rowsShownIn('reports-and-billing.test.ts', {
      'money.revenue-is-net':
        '`revenue_cents` is gross less the publisher’s fee, set through `/api/fees`, at the moment of the impression.',
      'money.breakdown-gross': 'A DSP breakdown’s `spend_cents` sums to gross, not to revenue.',
      'money.statements-integer': 'Statements are whole cents, rounded once, the parts adjusted to sum.',
      'money.conserved':
        'DSP spend = publisher gross for every period (after crashes: `test/faults/exchange`; over months: `test/simulation/money`).',
    }),
  ],
};
