// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import { expect } from 'chai';
import { readViewerCookie } from '#edge/viewer/viewer-cookie';
import { PIXEL } from '#gateways/edge/tracking/pixel';
import { fullConsent } from '#test/support/consent-strings';
import { EdgeUnderTest } from '#test/support/edge';

const OURS = 42;
const THEIRS = 43;
const MACROS =
  'u=${USER_ID}&gdpr=${GDPR}&consent=${GDPR_CONSENT}&usp=${US_PRIVACY}&gpp=${GPP}&sid=${GPP_SID}&r=${REDIRECT_URL}';

const edge = new EdgeUnderTest({ privacy: { vendorId: OURS, truncateWithoutConsent: true } });

/** A browser: keeps its cookies, follows nothing. */
class TestBrowser {
  readonly #cookies = new Map<string, string>();

  get cookie(): string | null {
    return this.#cookies.size === 0 ? null : [...this.#cookies.values()].join('; ');
  }

  async get(path: string, headers: Record<string, string> = {}) {
    const response = await this.ask(path, headers);
    this.keep(response);
    return { response, body: Buffer.from(await response.arrayBuffer()) };
  }

  ask(path: string, headers: Record<string, string> = {}) {
    return fetch(path.replace('https://edge.test', edge.origin).replace(/^\//, `${edge.origin}/`), {
      redirect: 'manual',
      headers: { ...(this.cookie === null ? {} : { cookie: this.cookie }), ...headers },
    });
  }

  keep(response: Response) {
    for (const set of response.headers.getSetCookie()) this.#cookies.set(set.split('=')[0]!, set.split(';')[0]!);
  }

  get known() {
    return readViewerCookie(this.cookie ?? undefined);
  }
}

/** What a buyer does with a browser at its sync URL: sends it back with its own id. */
function sentBackBy(syncUrl: string, uid: string): string {
  return new URL(syncUrl).searchParams.get('r')!.replace('${UID}', uid);
}

describe('/sync', () => {
  before(async () => {
    await edge.start();
    const pool = { endpointUrl: 'https://bid.one.test/rtb' };
    edge.dsp({ id: 'dsp-1', ...pool, userSyncUrl: `https://sync.one.test/match?${MACROS}` });
    edge.dsp({
      id: 'dsp-2',
      endpointUrl: 'https://two.test/',
      userSyncUrl: 'https://two.test/s?r=${REDIRECT_URL}',
      tcfVendorId: THEIRS,
    });
    edge.dsp({
      id: 'dsp-3',
      endpointUrl: 'https://three.test/',
      userSyncUrl: 'https://three.test/frame?a="b"&r=${REDIRECT_URL}',
      userSyncType: 'iframe',
    });
    edge.dsp({
      id: 'dsp-sandbox',
      endpointUrl: 'https://box.test/',
      status: 'sandbox',
      userSyncUrl: 'https://box.test/?r=${REDIRECT_URL}',
    });
    edge.dsp({
      id: 'dsp-elsewhere',
      endpointUrl: 'https://else.test/',
      poolIds: ['pool-2'],
      userSyncUrl: 'https://else.test/',
    });
    edge.dsp({ id: 'dsp-silent', endpointUrl: 'https://silent.test/' });
    edge.publisher({ id: 'pub-sandbox', status: 'sandbox' });
    edge.publisher({ id: 'pub-archived', status: 'archived' });
  });
  after(() => edge.close());

  const urlsIn = (html: string) =>
    [...html.matchAll(/src="([^"]+)"/g)].map(([, url]) => url!.replaceAll('&#38;', '&').replaceAll('&#34;', '"'));
  const calledBy = (html: string) => urlsIn(html).map((url) => new URL(url).hostname);

  /** The hosts that a chain leads a browser to, with the id that each sends back. */
  async function follow(browser: TestBrowser, firstCall: string): Promise<string[]> {
    const hosts: string[] = [];
    for (let called: string | null = firstCall; called !== null; ) {
      const host: string = new URL(called).hostname;
      hosts.push(host);
      expect(hosts.length).to.be.below(5);
      called = (await browser.get(sentBackBy(called, `uid-of-${host}`))).response.headers.get('location');
    }
    return hosts;
  }

  it('as a page calls only the buyers of the publisher that have a URL for it', async () => {
    const browser = new TestBrowser();
    const { response, body } = await browser.get('/sync?type=iframe&publisher_id=pub-1');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(body.toString().match(/<iframe /g)).to.have.length(1);
    expect(body.toString().match(/<img /g)).to.have.length(1);
    const [frame, chain] = urlsIn(body.toString());
    expect(new URL(frame!).hostname).to.equal('three.test');
    expect(await follow(browser, chain!)).to.have.members(['sync.one.test', 'two.test']);
    expect(browser.known.matches).to.have.length(2);
    expect(body.toString()).to.match(/<iframe src="https:\/\/three.test\/frame\?a=%22b%22&#38;r=/);
    expect(browser.known.userId).to.match(/^[\w-]{22}$/);
    expect(response.headers.get('set-cookie')).to.match(/HttpOnly; Secure; SameSite=None/);
  });

  it('is a page unless a pixel is asked for', async () => {
    const { response } = await new TestBrowser().get('/sync?publisher_id=pub-1');
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
  });

  it('as a pixel goes from buyer to buyer, and ends', async () => {
    const browser = new TestBrowser();
    const uids = new Map<string, string>();
    let at = await browser.get('/sync?type=pixel&publisher_id=pub-1&us_privacy=1YNN');
    for (let hops = 0; at.response.status === 302; hops++) {
      expect(hops).to.be.below(5);
      const called = at.response.headers.get('location')!;
      const uid = `uid&of=${new URL(called).hostname}`;
      uids.set(new URL(called).hostname, uid);
      const url = new URL(called).searchParams.get('r')!;
      expect(url.startsWith('https://edge.test/sync/set?')).to.equal(true);
      at = await browser.get(url.replace('${UID}', encodeURIComponent(uid)));
    }
    expect(at.body).to.deep.equal(PIXEL);
    expect([...uids.keys()]).to.have.members(['sync.one.test', 'two.test']);
    expect(browser.known.matches.map(({ uid }) => uid)).to.have.members([...uids.values()]);
    const again = await browser.get('/sync?type=pixel&publisher_id=pub-1');
    expect(again.body).to.deep.equal(PIXEL);
    expect(calledBy((await browser.get('/sync?type=iframe&publisher_id=pub-1')).body.toString())).to.deep.equal([
      'three.test',
    ]);
  });

  it('begins with any of them, so that one that sends no browser back does not stop the others for good', async () => {
    const begun = new Set<string>();
    while (begun.size < 2) {
      const { response } = await new TestBrowser().get('/sync?type=pixel&publisher_id=pub-1');
      begun.add(new URL(response.headers.get('location')!).hostname);
    }
    expect([...begun]).to.have.members(['sync.one.test', 'two.test']);
  });

  it('ends even where buyers send no id', async () => {
    const browser = new TestBrowser();
    let { response } = await browser.get('/sync?type=pixel&publisher_id=pub-1');
    for (let hops = 0; response.status === 302; hops++) {
      expect(hops).to.be.below(5);
      ({ response } = await browser.get(sentBackBy(response.headers.get('location')!, '')));
    }
    expect(browser.known.matches).to.deep.equal([]);
  });

  it('fills in the macros of a buyer’s URL', async () => {
    const browser = new TestBrowser();
    const consent = fullConsent(OURS);
    const query = new URLSearchParams({
      gdpr: '1',
      gdpr_consent: consent,
      us_privacy: '1YNN',
      gpp: 'DBAA',
      gpp_sid: '7,8',
    });
    const { body } = await browser.get(`/sync?publisher_id=pub-1&${query}`);
    const called = /src="(https:\/\/sync.one.test[^"]+)"/.exec(body.toString())![1]!.replaceAll('&#38;', '&');
    const given = new URL(called).searchParams;
    expect(Object.fromEntries(given)).to.deep.include({
      u: browser.known.userId,
      gdpr: '1',
      consent,
      usp: '1YNN',
      gpp: 'DBAA',
      sid: '7,8',
    });
    const back = new URL(given.get('r')!);
    expect(Object.fromEntries(back.searchParams)).to.deep.include({
      dsp: 'dsp-1',
      gdpr: '1',
      gdpr_consent: consent,
      uid: '${UID}',
    });
  });

  it('calls sandbox buyers in the sandbox alone', async () => {
    for (const query of ['publisher_id=pub-sandbox', 'publisher_id=pub-1&sandbox=true']) {
      const { body } = await new TestBrowser().get(`/sync?${query}`);
      expect(calledBy(body.toString())).to.deep.equal(['box.test']);
    }
  });

  for (const [query, error] of [
    ['', 'publisher_id is required'],
    ['?publisher_id=nobody', 'publisher_id names no publisher'],
    ['?publisher_id=pub-archived', 'publisher_id names no publisher'],
    ['?publisher_id=pub-1&type=script', 'type must be one of'],
    ['?publisher_id=pub-1&gdpr=yes', 'gdpr must be 0 or 1'],
    ['/set', 'dsp is required'],
    ['/set?dsp=nobody&uid=1', 'dsp is no demand source'],
    ['/set?dsp=dsp-1&uid=%24%7BUID%7D', 'uid must be'],
    [`/set?dsp=dsp-1&uid=${'x'.repeat(257)}`, 'uid must be'],
    ['/set?dsp=dsp-1&uid=%00', 'uid must be'],
    ['/set?dsp=dsp-1&uid=1&calls_left=999', 'calls_left must be'],
  ] as const) {
    it(`refuses /sync${query.slice(0, 40)}`, async () => {
      const { response, body } = await new TestBrowser().get(`/sync${query}`);
      expect([400, 403]).to.include(response.status);
      expect(JSON.parse(body.toString()).error.message).to.contain(error);
      expect(response.headers.get('set-cookie')).to.equal(null);
    });
  }

  describe('set', () => {
    it('answers a pixel, or a blank page', async () => {
      const browser = new TestBrowser();
      const pixel = await browser.get('/sync/set?dsp=dsp-1&uid=one');
      expect(pixel.response.headers.get('content-type')).to.equal('image/gif');
      expect(pixel.body).to.have.length(43);
      const page = await browser.get('/sync/set?dsp=dsp-3&uid=three&type=iframe');
      expect(page.response.headers.get('content-type')).to.match(/^text\/html/);
      expect(page.body.toString()).to.contain('<body></body>');
      expect(browser.known.matches.map(({ uid }) => uid)).to.deep.equal(['one', 'three']);
    });

    it('is counted', async () => {
      const before = (await edge.counted('dsp', 'dsp-1'))['userSyncs/matched'] ?? 0;
      await new TestBrowser().get('/sync/set?dsp=dsp-1&uid=one');
      expect((await edge.counted('dsp', 'dsp-1'))['userSyncs/matched']).to.equal(before + 1);
    });
  });

  describe('without consent', () => {
    const consentToUs = fullConsent(OURS);
    const forbidding: readonly [string, string, Record<string, string>?][] = [
      ['GDPR and no consent', 'gdpr=1'],
      ['GDPR and malformed consent', 'gdpr=1&gdpr_consent=xyz'],
      ['GDPR and consent to others', `gdpr=1&gdpr_consent=${fullConsent(THEIRS)}`],
      ['TCF in force by GPP', 'gpp_sid=2'],
      ['a US opt-out', 'us_privacy=1YYN'],
      ['a GPP opt-out', 'gpp=DBABLA~BVQVAAAAAAA.QA&gpp_sid=7'],
      ['COPPA', 'coppa=1'],
      ['Global Privacy Control', '', { 'Sec-GPC': '1' }],
    ];
    for (const [what, query, headers] of forbidding) {
      it(`by ${what} reads and sets nothing, and answers as ever`, async () => {
        const browser = new TestBrowser();
        await browser.get('/sync/set?dsp=dsp-1&uid=before');
        const before = browser.cookie;
        for (const [path, blank] of [
          ['/sync?type=pixel&publisher_id=pub-1', 'image/gif'],
          ['/sync?type=iframe&publisher_id=pub-1', 'text/html; charset=utf-8'],
          ['/sync/set?dsp=dsp-1&uid=after', 'image/gif'],
          ['/sync?dsp=dsp-1&uid=after&redirect=https%3A%2F%2Fsync.one.test%2F', 'image/gif'],
        ] as const) {
          const { response, body } = await browser.get(`${path}&${query}`, headers);
          expect(response.status, path).to.equal(200);
          expect(response.headers.get('content-type')).to.equal(blank);
          expect(response.headers.get('set-cookie')).to.equal(null);
          if (blank === 'image/gif') expect(body).to.deep.equal(PIXEL);
          else expect(body.toString()).to.contain('<body></body>');
        }
        expect(browser.cookie).to.equal(before);
      });
    }

    it('to the buyer, where it has a vendor id, leaves out that buyer alone', async () => {
      const browser = new TestBrowser();
      const query = `gdpr=1&gdpr_consent=${consentToUs}`;
      const { body } = await browser.get(`/sync?publisher_id=pub-1&${query}`);
      expect(calledBy(body.toString())).to.have.members(['sync.one.test', 'three.test']);
      const cookie = browser.cookie;
      const { response } = await browser.get(`/sync/set?dsp=dsp-2&uid=two&${query}`);
      expect([response.status, browser.cookie]).to.deep.equal([200, cookie]);
      await browser.get(`/sync/set?dsp=dsp-2&uid=two&gdpr=1&gdpr_consent=${fullConsent(OURS, THEIRS)}`);
      expect(browser.known.matches.map(({ uid }) => uid)).to.deep.equal(['two']);
    });
  });

  describe('begun by a buyer', () => {
    it('sets its id, tells it ours, and sends the browser back', async () => {
      const browser = new TestBrowser();
      const redirect = encodeURIComponent('https://sync.one.test/done?ours=${USER_ID}');
      const { response } = await browser.get(`/sync?dsp=dsp-1&uid=theirs&redirect=${redirect}`);
      expect(response.status).to.equal(302);
      expect(response.headers.get('location')).to.equal(`https://sync.one.test/done?ours=${browser.known.userId}`);
      expect(browser.known.matches.map(({ uid }) => uid)).to.deep.equal(['theirs']);
    });

    it('goes to any host that it has registered, or answers a pixel without one', async () => {
      const to = async (redirect: string) =>
        (await new TestBrowser().get(`/sync?dsp=dsp-1&redirect=${encodeURIComponent(redirect)}`)).response.status;
      expect(await to('https://bid.one.test/x')).to.equal(302);
      expect((await new TestBrowser().get('/sync?dsp=dsp-silent&uid=1')).body).to.deep.equal(PIXEL);
    });

    for (const redirect of [
      'https://evil.test/',
      'https://sync.one.test.evil.test/',
      'https://evil.test/sync.one.test',
      'https://evil.test/?https://sync.one.test/',
      'https://evil.test#https://sync.one.test/',
      'https://sync.one.test@evil.test/',
      'https://sync.one.test:pass@evil.test/',
      'https://user@sync.one.test/',
      'https://sync.one.test:8443/',
      'http://sync.one.test/',
      '//sync.one.test/',
      '//evil.test/',
      '///evil.test/',
      '/\\evil.test/',
      '\\\\evil.test/',
      'https:\\\\evil.test\\sync.one.test',
      'https:/\\evil.test/',
      'https://evil.test\\@sync.one.test/',
      'https://evil.test\\.sync.one.test/',
      'https:evil.test',
      'https://sync.one.test%2eevil.test/',
      'https://evil.test%2f.sync.one.test/',
      'https://ѕync.one.test/',
      'https://sync.one.test。evil.test/',
      'https://evil。test/',
      'https://evil.test\t/',
      'ht\ntps://evil.test/',
      'https://evil.test\u0000.sync.one.test/',
      'https://[::1]/',
      'https://0x7f.1/',
      'javascript:alert(1)//https://sync.one.test/',
      'JaVaScRiPt://sync.one.test/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'blob:https://sync.one.test/x',
      'ftp://sync.one.test/',
      'sync.one.test',
      '/done',
      ' ',
      '',
      'https://',
      'https://sync.one.test\r\nSet-Cookie: a=b@evil.test/',
      'https://two.test/',
      'https://edge.test/',
    ]) {
      it(`never leads to ${JSON.stringify(redirect)}`, async () => {
        const browser = new TestBrowser();
        const { response } = await browser.get(`/sync?dsp=dsp-1&uid=x&redirect=${encodeURIComponent(redirect)}`);
        expect(response.headers.get('location')).to.equal(null);
        // Nothing was asked for by an empty one.
        expect(response.status).to.equal(redirect === '' ? 200 : 400);
        if (redirect !== '') expect(browser.cookie).to.equal(null);
      });
    }

    it('leads to a registered host, however that is written', async () => {
      for (const redirect of ['https://SYNC.ONE.TEST/a', 'https://sync.one.test:443/a', 'https:\\\\sync.one.test\\a']) {
        const { response } = await new TestBrowser().get(`/sync?dsp=dsp-1&redirect=${encodeURIComponent(redirect)}`);
        expect(response.headers.get('location')).to.equal('https://sync.one.test/a');
      }
    });
  });

  describe('optout', () => {
    it('forgets every match, and holds from then on', async () => {
      const browser = new TestBrowser();
      await browser.get('/sync/set?dsp=dsp-1&uid=one');
      const { response, body } = await browser.get('/sync/optout');
      expect([response.status, browser.known.optedOut]).to.deep.equal([200, true]);
      expect(browser.cookie).to.not.contain('one');
      expect(body.toString()).to.contain('opted out');
      for (const path of ['/sync?publisher_id=pub-1', '/sync/set?dsp=dsp-1&uid=two', '/sync?dsp=dsp-1&uid=two']) {
        const later = await browser.get(path);
        expect([later.response.status, later.response.headers.get('set-cookie')]).to.deep.equal([200, null]);
      }
    });
  });

  it('opted out of while a buyer’s answer is on its way stays so', async () => {
    const browser = new TestBrowser();
    await browser.get('/sync/set?dsp=dsp-1&uid=one');
    const late = await browser.ask('/sync/set?dsp=dsp-3&uid=late');
    await browser.get('/sync/optout');
    browser.keep(late);
    expect(browser.known).to.deep.equal({ userId: null, optedOut: true, matches: [] });
    const later = await browser.get('/sync/set?dsp=dsp-1&uid=two');
    expect(later.response.headers.get('set-cookie')).to.equal(null);
  });

  it('is read by no script of another origin', async () => {
    const { response } = await new TestBrowser().get('/sync?publisher_id=pub-1', { Origin: 'https://site.test' });
    expect(response.headers.get('access-control-allow-origin')).to.equal(null);
  });
});
