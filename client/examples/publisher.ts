// A publisher's first ad: a supply source in a pool with demand, and what its tag brings.
// EXCHANGE_URL, EXCHANGE_KEY: a key of the account; pk_sandbox_… has a pool and bidders already.
import { createClient } from '@ad-exchange/client';

const client = createClient({
  baseUrl: process.env.EXCHANGE_URL ?? 'http://localhost:8080',
  apiKey: process.env.EXCHANGE_KEY,
});

const { data: site } = await client.post('/api/supply/sources', {
  body: { name: 'Harbour News, the site', type: 'web', domain: 'news.example' },
});
const { data: pool } = await client.post('/api/supply/pools', {
  body: { name: 'Harbour News, all buyers', floor_price_cpm: 0.5 },
});
await client.put('/api/supply/pools/{pool_id}/assign', {
  params: { path: { pool_id: pool.id } },
  body: { publisher_id: site.id },
});
for await (const buyer of client.iterate('/api/demand/sources', { params: { query: { per_page: 100 } } })) {
  await client.post('/api/demand/sources/{id}/pools/{pool_id}', {
    params: { path: { id: buyer.id, pool_id: pool.id } },
  });
}

// What goes into the page.
const { data: exchange } = await client.get('/api/exchange');
console.log(`<script async src="${exchange.edge_url}/tag.js"></script>`);
console.log(`<div data-ad-publisher="${site.id}" data-ad-sizes="300x250"></div>`);

// What the tag asks for there. Edges learn of a new source within a second or so.
const ad = new URL('/ad', exchange.edge_url);
ad.search = String(new URLSearchParams({ publisher_id: site.id, format: 'banner', w: '300', h: '250' }));
let markup = '';
while (markup === '') {
  const answer = await fetch(ad);
  if (answer.status === 200) markup = await answer.text();
  else await new Promise((resolve) => setTimeout(resolve, 200));
}
console.log(`an ad of ${markup.length} characters`);
