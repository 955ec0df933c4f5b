import { expect } from 'chai';
import { tcString } from '#test/support/consent-strings';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';

const edge = new EdgeUnderTest();

describe('POST /cookie_sync and GET /setuid', () => {
  before(async () => {
    await edge.start();
    edge.dsp({ id: 'dsp-1', endpointUrl: 'https://one.test/', userSyncUrl: 'https://one.test/sync' });
    edge.publisher({ id: 'pub-alone', poolId: null });
    edge.publisher({ id: 'pub-archived', status: 'archived' });
  });
  after(() => edge.close());

  const ask = async (body: unknown, headers: Record<string, string> = {}) =>
    jsonOf(
      await edge.post(body, { 'content-type': 'text/plain', origin: 'https://site.test', ...headers }, '/cookie_sync'),
    );
  const BODY = { uuid: 'u', bidders: ['adexchange', 'rubicon'], account: 'pub-1', filterSettings: {}, debug: true };
  const UNSUPPORTED = { bidder: 'rubicon', error: 'Unsupported bidder' };

  it('sends the page to the exchange’s own sync, with what the viewer said', async () => {
    const answer = await ask({ ...BODY, gdpr: 0, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: '-1' });
    expect(answer.status).to.equal('no_cookie');
    expect(answer.debug).to.deep.equal([UNSUPPORTED]);
    const [{ bidder, no_cookie, usersync }] = answer.bidder_status;
    expect({ bidder, no_cookie, type: usersync.type }).to.deep.equal({
      bidder: 'adexchange',
      no_cookie: true,
      type: 'iframe',
    });
    const url = new URL(usersync.url);
    expect(url.origin + url.pathname).to.equal('https://edge.test/sync');
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      gdpr: '0',
      us_privacy: '1YNN',
      gpp: 'DBAA',
      gpp_sid: '-1',
      publisher_id: 'pub-1',
      type: 'iframe',
    });
    const page = await edge.get(`${url.pathname}${url.search}`);
    expect(await page.text()).to.contain('https://one.test/sync');
  });

  it('makes a chain of redirects where the page lets it have no frame, and nothing where it may do neither', async () => {
    const images = { iframe: { bidders: '*', filter: 'exclude' } };
    const { bidder_status } = await ask({ ...BODY, filterSettings: images });
    expect(bidder_status[0].usersync.type).to.equal('redirect');
    expect(new URL(bidder_status[0].usersync.url).searchParams.get('type')).to.equal('pixel');
    const none = { ...images, image: { bidders: ['rubicon'], filter: 'include' } };
    expect(await ask({ ...BODY, filterSettings: none })).to.deep.equal({
      status: 'ok',
      bidder_status: [],
      debug: [UNSUPPORTED, { bidder: 'adexchange', error: 'Rejected by request filter' }],
    });
  });

  it('asks for nothing where every buyer’s id is known', async () => {
    const set = await edge.get('/setuid?bidder=dsp-1&uid=their-id&f=i');
    expect(set.headers.get('content-type')).to.equal('image/gif');
    const cookie = set.headers.get('set-cookie')!.split(';')[0]!;
    expect((await ask(BODY, { cookie })).bidder_status).to.deep.equal([]);
    expect((await ask({ ...BODY, account: 'pub-alone' })).bidder_status).to.deep.equal([]);
  });

  for (const [what, body, headers] of [
    ['without consent under GDPR', { gdpr: 1, gdpr_consent: '' }, {}],
    ['under GDPR as a text', { gdpr: '1' }, {}],
    ['under GDPR as a boolean', { gdpr: true }, {}],
    ['with the section of GDPR in force, as a number', { gpp_sid: 2 }, {}],
    ['with the section of GDPR in force, as a text', { gpp_sid: '2' }, {}],
    ['with the section of GDPR in force, in a list', { gpp_sid: ['2'] }, {}],
    ['with a TC string in GPP', { gpp: `DBABMA~${tcString({})}` }, {}],
    ['with a US opt-out', { us_privacy: '1YYN' }, {}],
    ['with Global Privacy Control', {}, { 'sec-gpc': '1' }],
  ] as const) {
    it(`asks for nothing ${what}`, async () => {
      const { bidder_status, debug } = await ask({ ...BODY, ...body }, headers);
      expect(bidder_status).to.deep.equal([]);
      expect(debug).to.deep.include({ bidder: 'adexchange', error: 'Rejected by privacy' });
    });
  }

  for (const signals of [{ gdpr: '0' }, { gdpr: false }, { gdpr: null }, { gdpr: '', gpp_sid: '' }, { gpp_sid: 7 }]) {
    it(`asks for a sync with ${JSON.stringify(signals)}`, async () => {
      expect((await ask({ ...BODY, ...signals })).bidder_status).to.have.length(1);
    });
  }

  for (const [name, value] of [
    ['gdpr', 'yes'],
    ['gdpr', 2],
    ['gdpr_consent', 1],
    ['us_privacy', ['1YYN']],
    ['gpp', {}],
    ['gpp_sid', 'two'],
    ['gpp_sid', '2,'],
    ['gpp_sid', 2.5],
    ['gpp_sid', [null]],
    ['gpp_sid', { toString: 1 }],
  ] as const) {
    it(`refuses ${name}: ${JSON.stringify(value)}`, async () => {
      const response = await edge.post({ ...BODY, [name]: value }, { 'content-type': 'text/plain' }, '/cookie_sync');
      expect(response.status).to.equal(400);
      expect((await jsonOf(response)).error).to.deep.include({ code: 'INVALID_PARAMS', field: name });
    });
  }

  for (const account of ['nobody', 'pub-archived', '', 7]) {
    it(`asks for nothing of the account ${JSON.stringify(account)}`, async () => {
      expect(await ask({ ...BODY, account })).to.deep.include({ status: 'ok', bidder_status: [] });
    });
  }

  it('refuses more bidders than a page names', async () => {
    const named = (count: number) => ({ ...BODY, bidders: Array.from({ length: count }, (_, index) => `b${index}`) });
    expect((await ask(named(1_000))).debug).to.have.length(1_000);
    expect((await ask(named(1_001))).error).to.include({ code: 'VALIDATION_ERROR', field: 'bidders' });
  });

  it('serves all bidders where none is named, and none of others', async () => {
    const { bidders: _, ...unnamed } = BODY;
    expect((await ask(unnamed)).bidder_status).to.have.length(1);
    expect((await ask({ ...BODY, bidders: ['rubicon'] })).bidder_status).to.have.length(0);
  });

  it('refuses what is no object, and a buyer that it does not know', async () => {
    const refused = (body: string) => edge.post(body, { 'content-type': 'text/plain' }, '/cookie_sync');
    expect((await refused('[]')).status).to.equal(400);
    expect((await refused('{')).status).to.equal(400);
    expect((await edge.get('/setuid?bidder=nobody&uid=1')).status).to.equal(400);
    expect((await edge.get('/setuid?uid=1')).status).to.equal(400);
  });

  it('stores nothing for the exchange itself', async () => {
    const response = await edge.get('/setuid?bidder=adexchange&uid=1&f=b');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.contain('text/html');
    expect(response.headers.has('set-cookie')).to.equal(false);
  });
});

describe('GET /status and /info/bidders', () => {
  it('tell that this is a Prebid Server with one bidder', async () => {
    const server = await new EdgeUnderTest({ prebidBidderCode: 'house' }).start();
    try {
      const status = await server.get('/status');
      expect([status.status, await status.text()]).to.deep.equal([200, 'ok']);
      expect(await jsonOf(await server.get('/info/bidders'))).to.deep.equal(['house']);
      const info = await jsonOf(await server.get('/info/bidders/House'));
      expect(info).to.deep.include({ status: 'ACTIVE', usesHttps: true });
      expect(info.capabilities.app.mediaTypes).to.deep.equal(['banner', 'video', 'audio', 'native']);
      expect(await jsonOf(await server.get('/info/bidders/all'))).to.deep.equal({ house: info });
      expect((await server.get('/info/bidders/rubicon')).status).to.equal(404);
      server.replica.ready = false;
      expect((await server.get('/status')).status).to.equal(503);
    } finally {
      await server.close();
    }
  });
});
