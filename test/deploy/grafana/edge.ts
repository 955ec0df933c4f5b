import { CHOSEN, type Dashboard, quantiles, rate } from './dashboard.ts';

export const EDGE: Dashboard = {
  name: 'exchange-edge',
  title: 'Exchange: edges',
  description: 'Ad requests, auctions and impressions, as the edges serve them.',
  rows: [
    {
      title: 'Ad requests',
      panels: [
        {
          title: 'Ad requests by status',
          description: 'Answers to ad requests, shed ones (503) included. 204 is a bid request that was not sold.',
          unit: 'reqps',
          series: [[rate('exchange_ad_requests_total', ['code']), '{{code}}']],
          isStacked: true,
        },
        {
          title: 'Share of ad requests that fail',
          description: 'Answers with 5xx among all. Alert: ExchangeAdRequestErrors above 1 %.',
          unit: 'percentunit',
          series: [
            [
              `${rate('exchange_ad_requests_total', [], 'code=~"5.."')} / ${rate('exchange_ad_requests_total')}`,
              'failed',
            ],
          ],
        },
        {
          title: 'Time of ad requests',
          description:
            'From the head of a request to its answer. Alert: ExchangeAdLatencyBurn where a seventh takes more than 200 ms.',
          unit: 's',
          series: quantiles('exchange_ad_request_seconds'),
        },
        {
          title: 'Ad requests by endpoint',
          description: 'OpenRTB bid requests, VAST tags and other tags.',
          unit: 'reqps',
          series: [[rate('exchange_ad_requests_total', ['endpoint']), '{{endpoint}}']],
        },
        {
          title: 'Shed',
          description: 'Ad requests that were refused unread, because more came than the edge can answer in time.',
          unit: 'reqps',
          series: [[rate('exchange_requests_shed_total', ['instance']), '{{instance}}']],
        },
        {
          title: 'Refused requests by reason',
          description: 'Ad requests that were answered with 403, by reason.',
          unit: 'reqps',
          series: [[rate('exchange_blocked_requests_total', ['reason']), '{{reason}}']],
        },
      ],
    },
    {
      title: 'Auctions',
      panels: [
        {
          title: 'Auctions',
          description: 'Ad requests that reached an auction, live and in the sandbox.',
          unit: 'reqps',
          series: [[rate('exchange_auctions_total', ['environment']), '{{environment}}']],
        },
        {
          title: 'Fill rate',
          description: 'Imps that got at least one ad, among those that were auctioned; live.',
          unit: 'percentunit',
          series: [
            [
              `${rate('exchange_filled_imps_total', [], 'environment="live"')} / ${rate('exchange_auctioned_imps_total', [], 'environment="live"')}`,
              'filled',
            ],
          ],
        },
        {
          title: 'Time of auctions',
          description: 'From the arrival of the request to the decision; live.',
          unit: 's',
          series: quantiles('exchange_auction_seconds', 'environment="live"'),
        },
        {
          title: 'Auctions in flight',
          description: 'Auctions under way. MAX_AUCTIONS_IN_FLIGHT bounds them.',
          unit: 'short',
          series: [[`exchange_auctions_in_flight{${CHOSEN}}`, '{{instance}}']],
        },
        {
          title: 'Withheld for privacy',
          description: 'Ad requests of which something about the viewer was withheld from bidders, by reason.',
          unit: 'reqps',
          series: [[rate('exchange_privacy_withheld_requests_total', ['reason']), '{{reason}}']],
        },
        {
          title: 'Event loop',
          description: 'How late one of a hundred turns is. Alert: ExchangeEventLoopLag above 200 ms.',
          unit: 's',
          series: [[`nodejs_eventloop_lag_p99_seconds{${CHOSEN}}`, '{{instance}}']],
        },
      ],
    },
    {
      title: 'Impressions',
      panels: [
        {
          title: 'Calls of pixels by outcome',
          description: 'Only billed and replayed-billed move money. invalid-… is invalid traffic.',
          unit: 'reqps',
          series: [[rate('exchange_impression_calls_total', ['outcome']), '{{outcome}}']],
        },
        {
          title: 'Time until an impression is durable',
          description: 'A pixel is answered when its outcome is in the log, or spooled.',
          unit: 's',
          series: quantiles('exchange_impression_seconds'),
        },
        {
          title: 'Viewability',
          description: 'Impressions that tags found measurable, and viewable.',
          unit: 'reqps',
          series: [[rate('exchange_viewability_events_total', ['event']), '{{event}}']],
        },
      ],
    },
  ],
};
