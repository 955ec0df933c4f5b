import { rowsShownIn, rowsShownOnRealServersIn, type Section } from '../row.ts';

export const limits: Section = {
  title: 'Limits',
  rows: [
    ...rowsShownIn('supply-sources.test.ts', {
      'limit.per_page': 'Supply list: `per_page` default 50, max 200; `page` default 1.',
    }),
    ...rowsShownIn('bidder-failures.test.ts', {
      'limit.bidder-timeout': 'Bidder timeout: 150 ms, whatever `tmax` the caller allows.',
    }),
    ...rowsShownIn('breaker-recovery.test.ts', {
      'limit.breaker-recovery': 'Circuit breaker auto-recovery: about 30 s.',
    }),
    ...rowsShownIn('service.test.ts', {
      'limit.sellers-cache': 'Sellers list cache: 1 hour.',
      'limit.body': 'Request bodies: 1 MB.',
    }),
    ...rowsShownIn('tracking.test.ts', {
      'limit.pixel': 'Tracking pixel response: 43-byte GIF.',
    }),
    ...rowsShownIn('money.test.ts', {
      'limit.metrics-lag': 'Metrics lag: within 60 s for `/api/metrics` and the supply source stats.',
    }),
    ...rowsShownIn('sandbox.test.ts', {
      'limit.sandbox-metrics': 'Sandbox metrics are visible within 65 s.',
    }),
    ...rowsShownIn('states.test.ts', {
      'limit.propagation': 'A change of status, floor, pool or subscription is used by auctions within 30 s.',
    }),
    ...rowsShownIn('demand-health.test.ts', {
      'limit.demand-health': 'Demand health is live, within 5 s.',
    }),
    ...rowsShownIn('credentials.test.ts', {
      'limit.session': 'Session expiry: 24 h of inactivity.',
    }),
    ...rowsShownIn('rate-limits.test.ts', {
      'limit.rate.standard': 'Standard account: 1,000 requests/minute.',
      'limit.rate.partner': 'Partner account: 5,000 requests/minute, by the headers of its answers.',
      'limit.rate.enterprise': 'Enterprise account: a custom rate.',
      'limit.rate.429': 'A rate-limited response is 429; back off 60 s.',
      'limit.rate.headers':
        'Every response of the management API, errors too, has `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`.',
      'limit.rate.anonymous': 'Answers without authentication carry them too, a bucket per address.',
      'limit.rate.edge': 'The management rate limit’s headers are on no answer of {rtb_url}.',
    }),
    ...rowsShownOnRealServersIn('regions.test.ts', {
      'limit.strategy-propagation': 'Strategy propagation: within 30 s at edges of all three regions, campaigns 60 s.',
    }),
    ...rowsShownIn('creatives.test.ts', {
      'limit.vast-depth': 'VAST wrapper depth: max 3 levels.',
      'limit.redirect-domains': 'Creative redirect domains: at most 3.',
      'limit.creative-load': 'Creative load time: within 1.5 s.',
    }),
    ...rowsShownIn('metrics-push.test.ts', {
      'limit.websocket': 'WebSocket messages: every 5 s.',
    }),
    ...rowsShownIn('budgets.test.ts', {
      'limit.daily-budget': '`daily_budget_cents` 0 = unlimited; the daily budget resets at midnight UTC.',
    }),
    ...rowsShownIn('webhooks.test.ts', {
      'limit.webhook-ack': 'Webhook acknowledgement: 200 within 5 s.',
    }),
    ...rowsShownIn('reports-and-billing.test.ts', {
      'limit.report-periods': 'Source reports: `24h`, `7d`, `14d`, `30d`.',
    }),
  ],
};
