import { CHOSEN, type Dashboard, quantile, rate } from './dashboard.ts';

const LIVE = 'environment="live"';

export const DEMAND: Dashboard = {
  name: 'exchange-demand',
  title: 'Exchange: demand',
  description: 'Bidders and delegates: what they are asked, what they answer and why their bids lose.',
  rows: [
    {
      title: 'Calls',
      panels: [
        {
          title: 'Bid requests',
          description: 'Sent to bidders, and evaluations of delegates; live, by demand source.',
          unit: 'reqps',
          series: [[rate('exchange_dsp_bid_requests_total', ['dsp'], LIVE), '{{dsp}}']],
        },
        {
          title: 'Share of timeouts',
          description: 'Bid requests that were not answered in time. Alert: ExchangeBidderTimeouts above 25 %.',
          unit: 'percentunit',
          series: [
            [
              `${rate('exchange_dsp_timeouts_total', ['dsp'], LIVE)} / ${rate('exchange_dsp_bid_requests_total', ['dsp'], LIVE)}`,
              '{{dsp}}',
            ],
          ],
        },
        {
          title: 'Time of calls by outcome',
          description: 'The 95th percentile of calls of bidders, from the first byte on the wire.',
          unit: 's',
          series: [[quantile(0.95, 'exchange_bidder_call_seconds', ['outcome']), '{{outcome}}']],
        },
        {
          title: 'Mean time of a bidder',
          description: 'Of calls over the network, timeouts included.',
          unit: 's',
          series: [
            [
              `${rate('exchange_dsp_call_seconds_total', ['dsp'])} / ${rate('exchange_dsp_calls_total', ['dsp'])}`,
              '{{dsp}}',
            ],
          ],
        },
        {
          title: 'Calls in flight',
          description: 'Calls that have a connection or wait for one; at most 256 a bidder and edge.',
          unit: 'short',
          series: [[`sum by (dsp) (exchange_bidder_calls_in_flight{${CHOSEN}})`, '{{dsp}}']],
        },
        {
          title: 'Breakers that are not closed',
          description: 'Edges at which the breaker of a bidder is open or half open. Alert: ExchangeBidderBreakerOpen.',
          unit: 'short',
          series: [
            [
              `sum by (dsp, state) (exchange_bidder_breaker_state{${CHOSEN}, state!="closed"}) > 0`,
              '{{dsp}} {{state}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Bids',
      panels: [
        {
          title: 'Bids and wins',
          description: 'Of all demand sources; live.',
          unit: 'short',
          series: [
            [rate('exchange_dsp_bids_total', [], LIVE), 'bids'],
            [rate('exchange_dsp_wins_total', [], LIVE), 'wins'],
          ],
        },
        {
          title: 'Win rate',
          description: 'Wins among bids, by demand source; live.',
          unit: 'percentunit',
          series: [
            [
              `${rate('exchange_dsp_wins_total', ['dsp'], LIVE)} / ${rate('exchange_dsp_bids_total', ['dsp'], LIVE)}`,
              '{{dsp}}',
            ],
          ],
        },
        {
          title: 'Answers',
          description: 'With a bid and without one; live.',
          unit: 'reqps',
          series: [
            [rate('exchange_dsp_offers_total', [], LIVE), 'with a bid'],
            [rate('exchange_dsp_no_bids_total', [], LIVE), 'without a bid'],
          ],
        },
        {
          title: 'Losses by reason',
          description: 'Why bids did not win; live.',
          unit: 'short',
          series: [[rate('exchange_dsp_losses_total', ['reason'], LIVE), '{{reason}}']],
          isStacked: true,
        },
        {
          title: 'Errors by reason',
          description: 'Answers that could not be used; live.',
          unit: 'reqps',
          series: [[rate('exchange_dsp_errors_total', ['reason'], LIVE), '{{reason}}']],
        },
        {
          title: 'Not called, by reason',
          description: 'Auctions in which a bidder was a candidate and was not called; live.',
          unit: 'reqps',
          series: [[rate('exchange_dsp_not_called_total', ['reason'], LIVE), '{{reason}}']],
        },
        {
          title: 'Kept back, by reason',
          description: 'Evaluations of delegates without a bid, by what kept their campaigns back; live.',
          unit: 'reqps',
          series: [[rate('exchange_dsp_kept_back_total', ['reason'], `${LIVE}, reason!="no-match"`), '{{reason}}']],
        },
        {
          title: 'Notices by end',
          description: 'Win, billing and loss notices. Alert: ExchangeNoticesLost for failed and dropped ones.',
          unit: 'reqps',
          series: [[rate('exchange_notices_total', ['kind', 'outcome']), '{{kind}} {{outcome}}']],
        },
        {
          title: 'Cookie syncs',
          description: 'By outcome.',
          unit: 'reqps',
          series: [[rate('exchange_dsp_user_syncs_total', ['outcome']), '{{outcome}}']],
        },
      ],
    },
  ],
};
