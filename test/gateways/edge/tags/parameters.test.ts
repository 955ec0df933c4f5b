import { expect } from 'chai';
import { noBid, type ScriptedBidder } from '#test/support/bidder';
import { EdgeUnderTest, jsonOf } from '#test/support/edge';

describe('the parameters of /vast and /ad', () => {
  let exchange: EdgeUnderTest;
  let bidder: ScriptedBidder;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
    bidder = await exchange.bidder(noBid());
  });
  afterEach(() => exchange.close());

  /** What bidders are asked for it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
  async function asked(path: string): Promise<any> {
    const response = await exchange.get(path);
    expect(response.status, await response.text()).to.be.oneOf([200, 204]);
    await bidder.waitForRequests('/bid');
    return bidder.received.filter(({ path }) => path.startsWith('/bid')).at(-1)!.body;
  }
  const vast = async (query = '') => asked(`/vast?site_id=pub-1${query}`);
  const ad = async (format: string, query = '') => asked(`/ad?publisher_id=pub-1&format=${format}${query}`);

  describe('which VAST the player takes', () => {
    const protocols: readonly (readonly [query: string, protocols: readonly number[]])[] = [
      ['', [2, 3, 5, 6, 7, 8, 11, 12, 13, 14]],
      ['&wrapper=1', [2, 3, 5, 6, 7, 8, 11, 12, 13, 14]],
      ['&wrapper=0', [2, 3, 7, 11, 13]],
      ['&version=2.0', [2, 5]],
      ['&version=3.0&wrapper=0', [3]],
      ['&version=4.1', [11, 12]],
      ['&version=4.0,4.2', [7, 8, 13, 14]],
    ];
    for (const [query, expected] of protocols) {
      it(`${query || 'unsaid'}: protocols ${expected.join()}`, async () => {
        expect((await vast(query)).imp[0].video.protocols).to.deep.equal(expected);
      });
    }
  });

  it('passes on what a video placement is', async () => {
    const { imp } = await vast(
      '&mimes=video/mp4,video/webm&minduration=5&maxduration=30&skip=1&startdelay=-1&plcmt=1&playbackmethod=1,3',
    );
    expect(imp[0].video).to.deep.include({
      mimes: ['video/mp4', 'video/webm'],
      minduration: 5,
      maxduration: 30,
      skip: 1,
      startdelay: -1,
      plcmt: 1,
      playbackmethod: [1, 3],
    });
  });

  it('passes on every signal of the viewer’s choices', async () => {
    const { regs, user, device } = await vast(
      '&gdpr=0&gdpr_consent=CO&us_privacy=1YNN&gpp=DBAA&gpp_sid=7,8&coppa=0&lmt=0&dnt=0',
    );
    expect(regs).to.deep.include({ gdpr: 0, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7, 8], coppa: 0 });
    expect(user.consent).to.equal('CO');
    expect(device).to.include({ lmt: 0, dnt: 0 });
  });

  it('passes on what the page and its content are', async () => {
    const { site } = await ad(
      'banner',
      '&page=https%3A%2F%2Fsite.test%2Fstory&ref=https%3A%2F%2Fsearch.test%2F&content_id=c1&content_title=A%20story&content_genre=news&content_language=en&content_len=90&content_livestream=1',
    );
    expect(site).to.include({ id: 'pub-1', page: 'https://site.test/story', ref: 'https://search.test/' });
    expect(site.content).to.include({
      id: 'c1',
      title: 'A story',
      genre: 'news',
      language: 'en',
      len: 90,
      livestream: 1,
    });
  });

  it('takes the page from the Referer where the tag does not name it', async () => {
    await exchange.get('/ad?publisher_id=pub-1&format=banner', { referer: 'https://site.test/from' });
    expect((await bidder.waitForRequests('/bid'))[0]!.body.site.page).to.equal('https://site.test/from');
  });

  it('passes on the app, the device and its advertising id; a television is recognised as one', async () => {
    exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
    const { app, device } = await vast(
      '&app_bundle=com.example.tv&app_name=Kids&app_store_url=https%3A%2F%2Fstore.test%2F1&ifa=7f1f4a8e-1d5c-4b1a-9d1e-3c2b1a0f9e8d&ifa_type=tifa&device_os=Tizen&device_make=Samsung',
    );
    expect(app).to.include({ bundle: 'com.example.tv', name: 'Kids', storeurl: 'https://store.test/1' });
    expect(device).to.include({ devicetype: 3, os: 'Tizen', make: 'Samsung' });
    expect(device.ifa).to.equal('7f1f4a8e-1d5c-4b1a-9d1e-3c2b1a0f9e8d');
    expect(device.ext).to.deep.include({ ifa_type: 'tifa' });
    expect((await vast('&device_type=7')).device.devicetype).to.equal(7);
  });

  it('offers every size of a banner, the first as its own', async () => {
    const { imp } = await ad('banner', '&sizes=300x250,320x50');
    expect(imp[0].banner).to.deep.include({
      w: 300,
      h: 250,
      format: [
        { w: 300, h: 250 },
        { w: 320, h: 50 },
      ],
    });
  });

  it('offers w and h before sizes', async () => {
    const { imp } = await ad('banner', '&w=728&h=90&sizes=300x250,728x90');
    expect(imp[0].banner).to.deep.include({
      w: 728,
      h: 90,
      format: [
        { w: 728, h: 90 },
        { w: 300, h: 250 },
      ],
    });
  });

  for (const untold of ['-1', '-2']) {
    it(`takes a macro that is filled with ${untold} as absent`, async () => {
      exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
      const names = ['lmt', 'dnt', 'ip', 'ua', 'ifa', 'ifa_type', 'w', 'gdpr', 'gdpr_consent', 'us_privacy', 'gpp'];
      const more = [
        'app_bundle',
        'content_id',
        'content_len',
        'mimes',
        'minduration',
        'device_type',
        'version',
        'plcmt',
      ];
      const query = [...names, ...more].map((name) => `&${name}=${untold}`).join('');
      const { app, device, imp, regs, user } = await vast(query);
      expect(device).to.not.have.any.keys('lmt', 'dnt', 'ifa', 'ext');
      expect(device.ua).to.not.equal(untold);
      expect(regs ?? {}).to.not.have.any.keys('gdpr', 'us_privacy', 'gpp');
      expect(user ?? {}).to.not.have.property('consent');
      expect(app).to.include({ bundle: 'com.example.tv' }).and.not.have.property('content');
      expect(imp[0].video.mimes).to.include('video/mp4');
    });
  }

  it('drops the kind of an advertising id that is withheld', async () => {
    exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
    expect((await vast('&ifa=-2&ifa_type=rida')).device).to.not.have.any.keys('ifa', 'ext');
  });

  it('keeps numbers below zero that mean something', async () => {
    const { imp, regs } = await vast('&startdelay=-2&poddur=60&maxseq=2&podseq=-1&slotinpod=-1&gpp_sid=-1');
    expect(imp[0].video).to.include({ startdelay: -2, podseq: -1, slotinpod: -1 });
    expect(regs.gpp_sid).to.deep.equal([-1]);
  });

  const frameworks: readonly (readonly [query: string, api: readonly number[]])[] = [
    ['&mraid=3', [3, 5, 6]],
    ['&mraid=2', [3, 5]],
    ['&api=5,6', [5, 6]],
    ['&mraid=3&api=7', [3, 5, 6, 7]],
  ];
  for (const [query, api] of frameworks) {
    it(`${query} runs the API frameworks ${api.join()}`, async () => {
      exchange.publisher({ type: 'mobile', domain: 'com.example.game' });
      expect((await ad('banner', query)).imp[0].banner.api).to.deep.equal(api);
    });
  }

  it('passes on that a placement is rewarded, that it fills the screen, and that it is not secure', async () => {
    const { imp } = await ad('video', '&rewarded=1&instl=1&secure=0');
    expect(imp[0]).to.include({ rwdd: 1, instl: 1, secure: 0 });
  });

  it('asks for audio with a companion, in the types of the creative specifications', async () => {
    const { imp } = await ad('audio', '&maxduration=30');
    expect(imp[0]).to.not.have.property('video');
    expect(imp[0].audio).to.deep.include({
      mimes: ['audio/mpeg', 'audio/aac', 'audio/mp4', 'audio/ogg'],
      maxduration: 30,
      protocols: [2, 3, 5, 6, 7, 8, 11, 12, 13, 14],
    });
    expect(imp[0].audio.companionad[0]).to.include({ w: 300, h: 250 });
  });

  it('asks for native in the sizes and lengths of the creative specifications', async () => {
    const { imp } = await ad('native');
    const request = JSON.parse(imp[0].native.request);
    expect(request.assets).to.deep.include.members([
      { id: 1, required: 1, title: { len: 90 } },
      { id: 2, required: 1, img: { type: 3, wmin: 1200, hmin: 627 } },
      { id: 6, required: 0, data: { type: 12, len: 15 } },
    ]);
  });

  const refused: readonly (readonly [query: string, field: string])[] = [
    ['version=5.0', 'version'],
    ['version=3', 'version'],
    ['wrapper=yes', 'wrapper'],
    ['minduration=-5', 'minduration'],
    ['minduration=30&maxduration=15', 'maxduration'],
    ['skip=2', 'skip'],
    ['startdelay=-3', 'startdelay'],
    ['plcmt=9', 'plcmt'],
    ['playbackmethod=x', 'playbackmethod'],
    ['coppa=maybe', 'coppa'],
    ['lmt=maybe', 'lmt'],
    ['dnt=maybe', 'dnt'],
    ['gdpr=maybe', 'gdpr'],
    ['ip=here', 'ip'],
    ['sandbox=perhaps', 'sandbox'],
    ['ifa_type=idfa', 'ifa_type'],
    ['app_bundle=com.example', 'app_bundle'],
    ['device_type=99', 'device_type'],
    ['content_len=long', 'content_len'],
    ['secure=no', 'secure'],
    ['rewarded=no', 'rewarded'],
    ['instl=no', 'instl'],
    [`page=${'x'.repeat(2_001)}`, 'page'],
  ];
  for (const [query, field] of refused) {
    it(`/vast with ${query.slice(0, 40)} is 400 and names ${field}`, () =>
      isRefused(`/vast?site_id=pub-1&${query}`, field));
  }

  const refusedBanners: readonly (readonly [query: string, field: string])[] = [
    ['sizes=300x', 'sizes'],
    ['sizes=300x250x2', 'sizes'],
    ['mraid=4', 'mraid'],
    ['api=1', 'api'],
    ['api=x', 'api'],
  ];
  for (const [query, field] of refusedBanners) {
    it(`a banner with ${query} is 400 and names ${field}`, () =>
      isRefused(`/ad?publisher_id=pub-1&format=banner&${query}`, field));
  }

  for (const query of ['mraid=3', 'api=6']) {
    it(`a television’s banner with ${query} is 400: MRAID never runs there`, async () => {
      exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
      await isRefused(`/ad?publisher_id=pub-1&format=banner&${query}`, query.split('=')[0]!);
    });
  }

  it('an app’s page is 400', async () => {
    exchange.publisher({ type: 'mobile', domain: 'com.example.game' });
    await isRefused('/ad?publisher_id=pub-1&format=banner&page=https%3A%2F%2Fsite.test%2F', 'page');
  });

  async function isRefused(path: string, field: string): Promise<void> {
    const response = await exchange.get(path);
    expect(response.status).to.equal(400);
    expect((await jsonOf(response)).error).to.include({ code: 'INVALID_PARAMS', field });
    expect(bidder.received).to.deep.equal([]);
  }
});
