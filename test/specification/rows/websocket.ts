import { rowsShownIn, type Section } from '../row.ts';

export const websocket: Section = {
  title: 'Metrics WebSocket',
  rows: rowsShownIn('metrics-push.test.ts', {
    'ws.connect': '`/ws/metrics` accepts `Authorization: Bearer <API_KEY>`.',
    'ws.401': 'Without a valid key the connection is refused with 401.',
    'ws.every-5s': 'A message comes every 5 seconds.',
    'ws.type': '`type` is `metrics_update`.',
    'ws.timestamp': '`timestamp` is ISO 8601.',
    'ws.rps': '`rps` is a number.',
    'ws.fill_rate_1m': '`fill_rate_1m` is a number.',
    'ws.revenue_cents_1m': '`revenue_cents_1m` is an integer.',
  }),
};
