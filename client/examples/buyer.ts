// A buyer without a bidder: a strategy that the exchange bids by, tried on the auctions of the last hour before it
// spends. EXCHANGE_URL, EXCHANGE_KEY: a key of the account.
import { createClient, ExchangeError } from '@ad-exchange/client';

const client = createClient({
  baseUrl: process.env.EXCHANGE_URL ?? 'http://localhost:8080',
  apiKey: process.env.EXCHANGE_KEY,
});

const { data: buyer } = await client.post('/api/demand/sources', { body: { name: 'Spring buyer', mode: 'delegate' } });
const params = { path: { id: buyer.id } };
for await (const pool of client.iterate('/api/supply/pools', { params: { query: { per_page: 100 } } })) {
  await client.post('/api/demand/sources/{id}/pools/{pool_id}', {
    params: { path: { id: buyer.id, pool_id: pool.id } },
  });
}

try {
  await client.put('/api/demand/sources/{id}/strategy', {
    params,
    body: {
      version: '1.0',
      dsp_id: buyer.id,
      default_bid: 1,
      rules: [],
      campaigns: [
        {
          campaign_id: 'spring',
          campaign_name: 'Spring',
          bidding: { base_cpm: 40, max_cpm: 60 },
          budget: { daily_cents: 5000 },
          creative: { creative_id: 'c1', html: '<b>Spring</b>', width: 300, height: 250 },
        },
      ],
    },
  });
} catch (error) {
  if (error instanceof ExchangeError)
    for (const { field, message } of error.fields) console.error(`${field}: ${message}`);
  throw error;
}

const { data: backtest } = await client.post('/api/demand/sources/{id}/strategy/backtest', {
  params,
  body: { from: new Date(Date.now() - 3_600_000).toISOString() },
});
const { bids, won, spend_cents: spend } = backtest.sample;
console.log(`${backtest.auctions.recorded} recorded auctions: ${bids} bids, ${won} won, ${spend} cents`);

// Somebody else may change the demand source meanwhile: then it is read again.
const { data: changed } = await client.update('/api/demand/sources/{id}', { params }, ({ daily_budget_cents: now }) =>
  now === 0 ? { daily_budget_cents: 10_000 } : undefined,
);
console.log(`${changed.name} spends ${changed.daily_budget_cents} cents a day at most`);
