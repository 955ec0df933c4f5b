import { rowsShownIn, type Section } from '../row.ts';

export const webhooks: Section = {
  title: 'Supply webhooks',
  rows: [
    ...rowsShownIn('webhooks.test.ts', {
      'webhook.register': '`POST /api/webhooks` registers a URL and its events.',
      'webhook.post': 'Events are delivered as HTTP POST with Content-Type `application/json`.',
      'webhook.ack': 'Only a 200 within 5 seconds acknowledges.',
      'webhook.retry':
        'Unacknowledged deliveries are tried again after 1, 2, 4 s with jitter, by a plan that goes on with 8 and 16 s.',
      'webhook.signature': 'Deliveries are signed as Standard Webhooks says.',
      'webhook.publisher.verified':
        '`publisher.verified` when app-ads.txt verification succeeded (hosts of the test in the place of the Internet’s).',
      'webhook.publisher.verification_failed': '`publisher.verification_failed` when it failed.',
      'webhook.publisher.fill_rate_alert':
        '`publisher.fill_rate_alert` when the fill rate, of counts that the ledger is told as an edge tells it, dropped below a threshold.',
      'webhook.pool.dsp_joined':
        '`pool.dsp_joined` when a demand source subscribed; not again when it subscribes twice.',
    }),
    ...rowsShownIn('dashboard.test.ts', {
      'webhook.dashboard': 'The URL is registered in the dashboard settings.',
    }),
  ],
};
