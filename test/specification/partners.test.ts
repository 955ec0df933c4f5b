import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange('partners and the account', (exchange) => {
  let partner: string;
  let other: string;
  let market: Market;
  const as = (partnerId: string) => ({ 'X-User-Partner-ID': partnerId });

  /** One impression at a CPM of 2.50 on one partner's publisher; the other partner's sources are idle. */
  before(async () => {
    partner = (await exchange.create('/api/partners', {})).id;
    other = (await exchange.create('/api/partners', {})).id;
    await exchange.create('/api/supply/sources', { domain: 'idle.example', type: 'web', partner_id: other });
    market = await exchange.market({
      publisher: { partner_id: partner },
      bidders: [{ script: bids({ price: 2.5 }), dsp: { partner_id: partner } }],
    });
    await fetch((await market.bid()).burl);
    await eventually(
      'the impression to be in the figures',
      async () => {
        const { body } = await exchange.get('/api/metrics/partner', as(partner));
        const asked = body.bid_requests_sent === market.bidders[0]!.received.length;
        return body.impressions === 1 && body.auctions === market.answers.length && asked;
      },
      { timeoutMs: 60_000, everyMs: 100 },
    );
  });

  shows('partner.publishers', async () => {
    const { body } = await exchange.get('/api/partner/publishers', as(partner));
    expect(body.total).to.equal(1);
    expect(body.publishers.map(({ id }: { id: string }) => id)).to.deep.equal([market.publisherId]);
  });
  shows('partner.dsps', async () => {
    const { body } = await exchange.get('/api/partner/dsps', as(partner));
    expect(body.dsps.map(({ id }: { id: string }) => id)).to.deep.equal([market.bidders[0]!.dspId]);
    expect((await exchange.get('/api/partner/dsps', as(other))).body).to.deep.equal({ dsps: [], total: 0 });
  });
  shows('partner.stats', async () => {
    const { body } = await exchange.get('/api/partner/stats', as(partner));
    expect(body).to.include({ partner_id: partner, period: '24h', impressions: 1, revenue_cents: 0.25 });
    expect((await exchange.get('/api/partner/stats', as(other))).body).to.include({ impressions: 0, revenue_cents: 0 });
  });
  shows('metrics.endpoint.partner', async () => {
    const platform = (await exchange.get('/api/metrics')).body;
    const { body } = await exchange.get('/api/metrics/partner', as(partner));
    expect(Object.keys(body)).to.have.members(Object.keys(platform));
    expect(body).to.include({ impressions: 1, revenue_cents: 0.25 });
    const idle = await exchange.get('/api/metrics/partner', as(other));
    expect(idle.body).to.include({ auctions: 0, impressions: 0, bid_requests_sent: 0 });
  });
  shows('partner.header-required', async () => {
    for (const path of ['publishers', 'stats', 'dsps']) {
      expect(errorOf(await exchange.get(`/api/partner/${path}`)), path).to.equal('403 FORBIDDEN');
    }
  });
  shows('partner.foreign', async () => {
    const session = { Cookie: await exchange.running.logIn() };
    const opened = await exchange.call(
      'POST',
      '/api/accounts',
      { name: 'Another', tier: 'partner' },
      {
        'X-API-Key': '',
        ...session,
      },
    );
    expect(opened.status, JSON.stringify(opened.body)).to.equal(201);
    const user = { email: 'another@exchange.test', password: 'the password of another' };
    const made = await exchange.call(
      'POST',
      '/api/users',
      { ...user, name: 'Another', role: 'member', account_id: opened.body.id },
      { 'X-API-Key': '', ...session },
    );
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const theirs = { 'X-API-Key': '', Cookie: await exchange.running.logIn(user) };
    const foreign = (await exchange.call('POST', '/api/partners', { name: 'Theirs' }, theirs)).body.id;
    expect((await exchange.get('/api/partner/dsps', { ...theirs, ...as(foreign) })).status).to.equal(200);
    for (const id of [foreign, ABSENT_ID]) {
      expect(errorOf(await exchange.get('/api/partner/dsps', as(id)))).to.equal('403 FORBIDDEN');
    }
    expect(errorOf(await exchange.get('/api/partner/dsps', { ...theirs, ...as(partner) }))).to.equal('403 FORBIDDEN');
  });
  shows('partner.report', async () => {
    const path = `/api/partner/report?publisher_id=${market.publisherId}`;
    const { body } = await exchange.get(path, as(partner));
    expect(body.publisher_id).to.equal(market.publisherId);
    // The 30 days that are asked for without a period, and today.
    expect(body.days).to.have.length(31);
    for (const day of body.days) {
      expect(day).to.have.all.keys('date', 'auctions', 'impressions', 'fill_rate', 'revenue_cents', 'ecpm_cents');
    }
    // Yesterday's, too: the suite may run across midnight.
    const sold = body.days.slice(-2).find(({ impressions }: { impressions: number }) => impressions === 1);
    expect(sold).to.include({ revenue_cents: 0.25, ecpm_cents: 250 });
    expect(errorOf(await exchange.get(path, as(other)))).to.equal('404 NOT_FOUND');
  });

  shows('open.partners', async () => {
    const made = await exchange.create('/api/partners', { name: 'A partner' });
    const { body } = await exchange.get('/api/partners');
    expect(body.partners).to.deep.include(made);
    expect(body.total).to.equal(body.partners.length);
  });
  shows('open.account', async () => {
    expect((await exchange.get('/api/account')).body).to.include.all.keys('name', 'tier', 'requests_per_minute');
    const renamed = await exchange.call('PUT', '/api/account', { name: 'Renamed' });
    expect([renamed.status, renamed.body.name]).to.deep.equal([200, 'Renamed']);
    expect(errorOf(await exchange.call('PUT', '/api/account', { tier: 'partner' }))).to.equal('403 FORBIDDEN');
    const operator = { 'X-API-Key': '', Cookie: await exchange.running.logIn() };
    const change = { tier: 'enterprise', requests_per_minute: 900_000 };
    expect((await exchange.call('PUT', '/api/account', change, operator)).body).to.include(change);
  });
});
