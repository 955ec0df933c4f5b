import type { Tag } from '../routing/route.ts';

const descriptions: Readonly<Record<Tag, string>> = {
  Service: 'Whether the service is up, who sells through it, and this description.',
  Metrics: 'What was auctioned, sold and earned, of the platform, a partner, a publisher or a demand source.',
  Auctions: 'Single auctions, as a sample of them was written down: why they were not filled, why a bid lost.',
  Supply: 'Supply sources (publishers: apps, CTV apps, websites) and the pools that they are grouped into.',
  Demand: 'Demand sources (DSPs), their health, strategies, budgets and subscriptions to pools.',
  Campaigns: 'Campaigns of demand sources in `delegate` mode, which the exchange evaluates itself.',
  Creatives: 'What demand sources have brought, what scans found, and what may be shown where.',
  'Source reports': "Reports and billing of one source, read with that source's own key.",
  Partners: 'Partners of the account, and what each of them sees. Needs `X-User-Partner-ID`, where it says so.',
  Sandbox: 'Rehearsals on sandbox data: bid requests to test a bidder with, simulated auctions, a reset.',
  Webhooks: 'URLs that are told of events, and what was delivered to them.',
  Account: 'The account, its users’ sessions and its API keys.',
  Operators: 'What only those who run the exchange may do: fees, tiers, users.',
};

/** The tags in the order of the API's description. */
export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }));
