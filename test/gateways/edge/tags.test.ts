import { expect } from 'chai';
import { bids, noBid } from '../../support/bidder.ts';
import { EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const VAST =
  '<VAST version="3.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';

describe('GET /vast and GET /ad', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  it('serves VAST with our Impression in it', async () => {
    const bidder = await exchange.bidder(bids({ price: 3, adm: VAST, w: undefined, h: undefined }));
    const query =
      'site_id=pub-1&w=640&h=480&ip=198.51.100.9&ua=Roku%2FDVP-9.10%20(519.10E04111A)&floor=1.5&gdpr=0&gdpr_consent=CO&gpp=DBAA&gpp_sid=7,8';
    const response = await exchange.get(`/vast?${query}`);
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^application\/xml/);
    const xml = await response.text();
    expect(xml).to.contain('https://edge.test/track/impression?').and.to.contain('https://d.test/i');
    const { body } = (await bidder.waitForRequests('/bid'))[0]!;
    expect(body.device).to.include({ ip: '198.51.100.9', ua: 'Roku/DVP-9.10 (519.10E04111A)' });
    expect(body.imp[0]).to.include({ bidfloor: 1.5 });
    expect(body.imp[0].video).to.include({ w: 640, h: 480 });
    expect(body.regs).to.deep.include({ gdpr: 0, gpp: 'DBAA', gpp_sid: [7, 8] });
    expect(body.user.consent).to.equal('CO');
  });

  it('serves banners as a document whose body starts with the pixel, and that adds no margins', async () => {
    await exchange.bidder(bids({ price: 3 }));
    const response = await exchange.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250');
    expect(response.headers.get('content-type')).to.match(/^text\/html/);
    const document = await response.text();
    expect(document)
      .to.match(/^<!doctype html>/)
      .and.match(/<body><img src="https:\/\/edge\.test\/track\/impression\?/)
      .and.match(/body\{margin:0/);
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  it('serves native as JSON with our tracker, in one form, whichever the bidder’s', async () => {
    const native = {
      ver: '1.2',
      assets: [
        { id: 1, title: { text: 'The "native" ad' } },
        { id: 2, img: { url: 'https://a.test/main.png' } },
      ],
      link: { url: 'https://a.test/' },
    };
    const bidder = await exchange.bidder(noBid());
    for (const document of [native, { native }]) {
      bidder.script = bids({ price: 3, adm: JSON.stringify(document), w: undefined, h: undefined });
      const answer = await jsonOf(await exchange.get('/ad?publisher_id=pub-1&format=native'));
      expect(answer).to.deep.include({ ver: '1.2', assets: native.assets, link: native.link });
      expect(answer.eventtrackers[0].url).to.contain('https://edge.test/track/impression?');
    }
  });

  it('takes a macro that its player did not fill for nothing said', async () => {
    const bidder = await exchange.bidder(noBid());
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a macro
    const macros = ['${GDPR}', '[GDPR]', '%%GDPR%%', '{{gdpr}}', '{GDPR}', '__GDPR__', '$$GDPR$$'];
    for (const macro of macros) {
      const query = new URLSearchParams({ gdpr: macro, gdpr_consent: macro, gpp_sid: macro, w: macro, ifa: macro });
      expect((await exchange.get(`/vast?site_id=pub-1&${query}`)).status, macro).to.equal(200);
    }
    for (const { body } of await bidder.waitForRequests('/bid', macros.length)) {
      expect(JSON.stringify([body.regs, body.user])).to.not.match(/gdpr|gpp|consent/i);
      expect(body.device).to.not.have.property('ifa');
    }
    // A title may well stand in brackets.
    await exchange.get('/vast?site_id=pub-1&content_title=%5BREC%5D+2');
    const { body } = (await bidder.waitForRequests('/bid', macros.length + 1)).at(-1)!;
    expect(body.site.content.title).to.equal('[REC] 2');
  });

  it('calls an app’s and a television’s inventory by their bundle', async () => {
    const bidder = await exchange.bidder(noBid());
    exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
    await exchange.get('/vast?site_id=pub-1');
    const { body } = (await bidder.waitForRequests('/bid'))[0]!;
    expect(body.app).to.include({ id: 'pub-1', bundle: 'com.example.tv' });
    expect(body).to.not.have.property('site');
  });

  it('without fill: the empty VAST 4.0, a harmless page, and 204', async () => {
    const vast = await exchange.get('/vast?site_id=pub-1');
    expect(vast.status).to.equal(200);
    expect(await vast.text()).to.contain('<VAST version="4.0" xmlns="http://www.iab.com/VAST"/>');
    const video = await exchange.get('/ad?publisher_id=pub-1&format=video');
    expect(await video.text()).to.contain('<VAST version="4.0"');
    const banner = await exchange.get('/ad?publisher_id=pub-1&format=banner');
    expect(banner.status).to.equal(200);
    expect(await banner.text()).to.not.contain('script');
    expect((await exchange.get('/ad?publisher_id=pub-1&format=native')).status).to.equal(204);
  });

  it('honours sandbox', async () => {
    const live = await exchange.bidder(bids({ price: 3 }), { id: 'dsp-1' });
    const sandbox = await exchange.bidder(bids({ price: 3 }), { id: 'dsp-2', status: 'sandbox' });
    await exchange.get('/ad?publisher_id=pub-1&format=banner&sandbox=true');
    expect(live.received).to.deep.equal([]);
    expect(sandbox.received).to.have.length(1);
  });

  const refused: readonly (readonly [path: string, status: number, field: string | undefined])[] = [
    ['/vast', 400, 'site_id'],
    ['/vast?site_id=nobody', 403, undefined],
    ['/vast?site_id=pub-1&w=wide', 400, 'w'],
    ['/vast?site_id=pub-1&floor=cheap', 400, 'floor'],
    ['/vast?site_id=pub-1&floor=-1', 403, undefined],
    ['/vast?site_id=pub-1&gpp_sid=a', 400, 'gpp_sid'],
    ['/ad?format=banner', 400, 'publisher_id'],
    ['/ad?publisher_id=pub-1', 400, 'format'],
    ['/ad?publisher_id=pub-1&format=hologram', 400, 'format'],
  ];
  for (const [path, status, field] of refused) {
    it(`${path} is ${status}`, async () => {
      const response = await exchange.get(path);
      expect(response.status).to.equal(status);
      expect((await jsonOf(response)).error.field).to.equal(field);
    });
  }
});
