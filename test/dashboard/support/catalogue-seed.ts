import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { callJson, type TestExchange } from '../../support/exchange.ts';
import { parkMessage } from './dead-letters.ts';
import { invite, newPerson, type Person } from './people.ts';
import { type SeenCreatives, seeCreatives } from './seen-creatives.ts';

/** What the pages of the catalogue are of. */
export interface CatalogueSeed {
  readonly publisher: string;
  readonly pool: string;
  /** In the sandbox, with figures of today. */
  readonly dsp: string;
  readonly delegate: string;
  /** Of the delegate, with the creatives `native` and `html`. */
  readonly campaign: string;
  readonly auction: string;
  readonly seen: SeenCreatives;
  /** The running month. */
  readonly month: string;
  /** Of an invitation that was not accepted. */
  readonly token: string;
  readonly publisherPerson: Person;
  readonly dspPerson: Person;
}

/** The synthetic demand source that bids for everything in the sandbox. */
const HIGH_BIDDER = '00000000-0000-4000-8000-0000000000d0';
const REQUESTS = 6;

/** Makes something of each kind, so that no page of the dashboard is empty. */
export async function seedCatalogue(exchange: TestExchange): Promise<CatalogueSeed> {
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await exchange.call(method, path, body, headers);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.within(200, 201);
    return answer.body;
  };
  const session = { Cookie: await exchange.logIn() };
  const inSandbox = { 'X-Sandbox': 'true' };

  const pool = await ask('POST', '/api/supply/pools', {
    name: 'Premium news of the north',
    description: 'Front pages and articles',
    floor_price_cpm: 1.25,
  });
  const web = { type: 'web', pool_id: pool.id, floor_price_cpm: 2 };
  const publisher = await ask('POST', '/api/supply/sources', {
    ...web,
    name: 'Harbour News',
    domain: 'harbour.example',
  });
  await ask('POST', '/api/supply/sources', { ...web, name: 'Evening Post', domain: 'evening.example' });
  const bidder = await ask('POST', '/api/demand/sources', {
    name: 'Northern Outdoor',
    mode: 'rtb',
    endpoint_url: 'https://bid.outdoor.example/openrtb',
    daily_budget_cents: 250_000,
  });
  await ask('POST', `/api/demand/sources/${bidder.id}/pools/${pool.id}`);
  const delegate = await ask('POST', '/api/demand/sources', { name: 'Left to the exchange', mode: 'delegate' });
  const creatives = [
    {
      creative_id: 'native',
      landing_url: 'https://boots.example/',
      native: { title: 'Boots', cta: 'See all of our boots' },
    },
    { creative_id: 'html', html: '<b>Walk further</b>', width: 300, height: 250, weight: 3 },
  ];
  const campaign = await ask('POST', '/api/campaigns', {
    ...{ dsp_id: delegate.id, campaign_name: 'Spring boots, and all that goes with them', creatives },
    ...{ bidding: { base_cpm: 4.5 }, budget: { daily_cents: 20_000 }, frequency_cap: { max_impressions: 3 } },
  });
  await ask('POST', '/api/partners', { name: 'Coastal Media' });
  await callJson('POST', `${exchange.baseUrl}/api/keys`, { name: 'Nightly reports', environment: 'live' }, session);
  await ask('POST', '/api/webhooks', {
    url: 'https://hooks.harbour.example/a/rather/long/path/that/does/not/fit/into/a/narrow/column',
    events: ['publisher.verified', 'publisher.fill_rate_alert', 'pool.dsp_joined'],
  });

  for (let asked = 0; asked < REQUESTS; asked++) {
    const request = await ask('GET', '/api/sandbox/test-bid?scenario=web-us-news', undefined, inSandbox);
    const answer = await callJson('POST', `${exchange.edgeUrl}/rtb`, request, { 'X-API-Key': exchange.sandboxKey });
    const pixel = /src=\\"([^"\\]+\/track\/impression[^"\\]+)\\"/.exec(JSON.stringify(answer.body))?.[1];
    if (pixel !== undefined) await fetch(pixel.replaceAll('&amp;', '&'));
  }
  const auction = await eventually('an auction to be recorded', async () => {
    const { auctions } = await ask('GET', '/api/auctions', undefined, inSandbox);
    return auctions.length >= REQUESTS && auctions[0];
  });

  const publisherPerson = await newPerson(exchange, {
    email: 'editor@harbour.example',
    role: 'source',
    source: { type: 'publisher', id: publisher.id },
  });
  const dspPerson = await newPerson(exchange, {
    email: 'buyer@outdoor.example',
    role: 'source',
    source: { type: 'dsp', id: bidder.id },
  });
  const seen = await seeCreatives(exchange, { dspId: bidder.id, publisherId: publisher.id });
  await ask('POST', `/api/creatives/${seen.refused}/block`, { scope: 'account', reason: 'Too loud' });
  const token = await invite(exchange, { email: 'colleague@exchange.test', role: 'member' });
  await parkMessage(exchange);

  return {
    publisher: publisher.id,
    pool: pool.id,
    dsp: HIGH_BIDDER,
    delegate: delegate.id,
    campaign: campaign.id,
    auction: auction.id,
    seen,
    month: new Date().toISOString().slice(0, 7),
    token,
    publisherPerson,
    dspPerson,
  };
}
