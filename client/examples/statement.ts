// A month's payout, source by source, and the table of one of them for a spreadsheet.
// EXCHANGE_URL, EXCHANGE_KEY: a key of the account; EXCHANGE_MONTH: YYYY-MM, the current one by default.
import { createClient } from '@ad-exchange/client';

const client = createClient({
  baseUrl: process.env.EXCHANGE_URL ?? 'http://localhost:8080',
  apiKey: process.env.EXCHANGE_KEY,
  userAgent: 'month-end/1.0',
});
const month = process.env.EXCHANGE_MONTH ?? new Date().toISOString().slice(0, 7);

let due = 0;
let last: string | undefined;
for await (const source of client.iterate('/api/supply/sources', { params: { query: { per_page: 100 } } })) {
  const params = { path: { id: source.id }, query: { month } };
  const { data } = await client.get('/api/supply/sources/{id}/billing', { params });
  console.log(`${data.publisher}: ${data.payout.impressions} impressions, ${data.payout.net_payout_cents} cents`);
  due += data.payout.net_payout_cents;
  last = source.id;
}
console.log(`due for ${month}: ${due} cents`);

if (last !== undefined) {
  const params = { path: { id: last }, query: { month } };
  const { data: table } = await client.csv('/api/supply/sources/{id}/billing', { params });
  console.log(table.split('\r\n', 1)[0]);
}
