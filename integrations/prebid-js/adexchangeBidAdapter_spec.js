import { expect } from 'chai';
import { converter, spec } from '../../../modules/adexchangeBidAdapter.js';
import { newBidder } from '../../../src/adapters/bidderFactory.js';
import { dep } from '../../../src/ajax.js';
import { config } from '../../../src/config.js';

const HOST = 'edge.exchange.example';
const PUBLISHER = '5d0f2a9c-1b7e-4e0a-9a52-7c1f3e8b6d04';
const BURL = `https://${HOST}/track/impression?tid=a.b&burl=https%3A%2F%2Fdsp.example%2F&mac=1`;
const NURL = `https://${HOST}/track/win?tid=a.b&mac=2`;
const VIEWABLE = `https://${HOST}/track/view?event=viewable&tid=a.b&burl=https%3A%2F%2Fdsp.example%2F&mac=1`;

describe('adexchangeBidAdapter', () => {
  let bidIds = 0;
  const aBid = ({ params, mediaTypes = { banner: { sizes: [[300, 250]] } }, ...fields } = {}) => ({
    bidder: 'adexchange',
    bidId: `bid-${++bidIds}`,
    adUnitCode: 'top',
    params: { host: HOST, publisherId: PUBLISHER, ...params },
    mediaTypes,
    ...fields,
  });
  const aBidderRequest = (bids, ortb2 = { site: { page: 'https://site.example/', domain: 'site.example' } }) => ({
    bidderCode: 'adexchange',
    auctionId: 'auction-1',
    timeout: 900,
    bids,
    ortb2,
  });
  const build = (bids, ortb2) => spec.buildRequests(bids, aBidderRequest(bids, ortb2));
  const impOf = (fields) => build([aBid(fields)])[0].data.imp[0];

  let fetched;
  const original = {};
  beforeEach(() => {
    fetched = [];
    original.fetch = dep.fetch;
    dep.fetch = (request) => {
      fetched.push(request);
      return Promise.resolve(new Response(''));
    };
  });
  afterEach(() => {
    dep.fetch = original.fetch;
    config.resetConfig();
  });

  /** Calls made with `keepalive` are made in a later task. */
  const called = async (count) => {
    while (fetched.length < count) await new Promise((resolve) => setTimeout(resolve));
    return fetched.map(({ url, method }) => `${method} ${url}`);
  };

  it('is a bidder of Prebid.js', () => {
    expect(newBidder(spec).callBids).to.be.a('function');
    expect(spec.code).to.equal('adexchange');
    expect(spec.supportedMediaTypes).to.have.members(['banner', 'video', 'native', 'audio']);
  });

  it('leaves rendering to the billing where that is deferred: its markup bills', () => {
    // Prebid.js renders at once for adapters that have it.
    expect(spec).not.to.have.property('onBidBillable');
  });

  describe('isBidRequestValid', () => {
    it('wants a host and a supply source', () => {
      expect(spec.isBidRequestValid(aBid())).to.equal(true);
      for (const params of [{ host: undefined }, { host: 7 }, { publisherId: undefined }, { publisherId: ' ' }]) {
        expect(spec.isBidRequestValid(aBid({ params })), JSON.stringify(params)).to.equal(false);
      }
      expect(spec.isBidRequestValid({ bidder: 'adexchange' })).to.equal(false);
    });

    it('takes a host name, with a port or without, and nothing else', () => {
      for (const host of ['localhost:8081', '127.0.0.1', '[::1]:8081', 'edge.exchange.example:8443']) {
        expect(spec.isBidRequestValid(aBid({ params: { host } })), host).to.equal(true);
      }
      for (const host of [
        'https://edge.example',
        'edge.example/rtb',
        'a b',
        '',
        'user@edge.example',
        '-edge.example',
      ]) {
        expect(spec.isBidRequestValid(aBid({ params: { host } })), host).to.equal(false);
      }
    });

    it('takes the host from the configuration', () => {
      config.setConfig({ adexchange: { host: 'configured.example' } });
      const bid = aBid({ params: { host: undefined } });
      expect(spec.isBidRequestValid(bid)).to.equal(true);
      expect(build([bid])[0].url).to.equal('https://configured.example/rtb');
    });
  });

  describe('buildRequests', () => {
    it('asks once for all imps of a supply source, without a preflight and with cookies', () => {
      const [request, ...more] = build([aBid(), aBid()]);
      expect(more).to.deep.equal([]);
      expect(request).to.include({ method: 'POST', url: `https://${HOST}/rtb` });
      expect(request.options).to.deep.equal({ contentType: 'text/plain', withCredentials: true });
      expect(request.data.imp).to.have.length(2);
      expect(request.data.tmax).to.equal(900);
    });

    it('asks apart for other supply sources, other hosts and the sandbox', () => {
      const params = [{}, { publisherId: 'other' }, { host: 'other.example' }, { sandbox: true }];
      const requests = build(params.map((one) => aBid({ params: one })));
      const urls = [`https://${HOST}/rtb`, `https://${HOST}/rtb`, 'https://other.example/rtb'];
      expect(requests.map(({ url }) => url)).to.deep.equal([...urls, `https://${HOST}/rtb?sandbox=true`]);
      expect(requests[1].data.site.publisher.id).to.equal('other');
    });

    it('names the supply source as the publisher, whatever the inventory', () => {
      const ofSite = build([aBid()], { site: { id: 'own', publisher: { id: 'own', name: 'The Site' } } })[0].data;
      expect(ofSite.site).to.deep.equal({ id: 'own', publisher: { id: PUBLISHER, name: 'The Site' } });
      for (const kind of ['app', 'dooh']) {
        const { data } = build([aBid()], { [kind]: { name: 'x' } })[0];
        expect(data[kind], kind).to.deep.equal({ name: 'x', publisher: { id: PUBLISHER } });
        expect(data, kind).not.to.have.property('site');
      }
    });

    it('carries first-party data, consent, the supply chain and ids', () => {
      const ortb2 = {
        site: { page: 'https://site.example/' },
        regs: { coppa: 1, gpp: 'DBAA', gpp_sid: [7], ext: { gdpr: 1, gpc: '1', us_privacy: '1YNN' } },
        user: { ext: { consent: 'CONSENT', eids: [{ source: 'ids.example', uids: [{ id: '1' }] }] } },
        source: { ext: { schain: { ver: '1.0', complete: 1, nodes: [] } } },
        bcat: ['IAB25'],
      };
      const { data } = build([aBid({ ortb2Imp: { instl: 1, ext: { gpid: '/1/top' } } })], ortb2)[0];
      for (const name of ['regs', 'user', 'source', 'bcat']) expect(data[name], name).to.deep.equal(ortb2[name]);
      expect(data.imp[0]).to.deep.include({ instl: 1, ext: { gpid: '/1/top' } });
    });

    it('names the placement', () => {
      expect(impOf({ params: { placementId: 7 } }).tagid).to.equal('7');
      expect(impOf({ params: { placementId: '' } })).not.to.have.property('tagid');
      expect(impOf()).not.to.have.property('tagid');
    });

    it('asks a host of the own machine by HTTP, for creatives that may be loaded so', () => {
      for (const host of ['localhost:8081', 'edge.localhost', '127.0.0.1:8081', '[::1]:8081']) {
        const [{ url, data }] = build([aBid({ params: { host } })]);
        expect(url).to.equal(`http://${host}/rtb`);
        expect(data.imp[0].secure, host).to.equal(0);
      }
      for (const host of [HOST, 'localhost.example', '127.example']) {
        const [{ url, data }] = build([aBid({ params: { host } })]);
        expect(url).to.equal(`https://${host}/rtb`);
        expect(data.imp[0].secure, host).to.equal(1);
      }
      expect(impOf({ params: { host: 'localhost' }, ortb2Imp: { secure: 1 } }).secure).to.equal(1);
    });

    it('offers all formats of an ad unit', () => {
      const mediaTypes = {
        banner: { sizes: [[300, 250]] },
        video: { context: 'outstream', playerSize: [640, 360] },
        audio: { context: 'instream' },
      };
      const nativeOrtbRequest = { ver: '1.2', assets: [{ id: 1, title: { len: 80 } }] };
      const imp = impOf({ mediaTypes, nativeOrtbRequest });
      expect(imp.banner.format).to.deep.equal([{ w: 300, h: 250 }]);
      expect(imp.video).to.deep.include({ w: 640, h: 360, mimes: ['video/mp4'] });
      expect(imp.audio.mimes).to.deep.equal(['audio/mpeg', 'audio/mp4']);
      const asked = JSON.parse(imp.native.request);
      expect(asked.assets).to.deep.equal(nativeOrtbRequest.assets);
      expect(asked.eventtrackers).to.deep.equal([1, 2].map((event) => ({ event, methods: [1] })));
      const stated = { ...mediaTypes, video: { ...mediaTypes.video, mimes: ['video/webm'] } };
      expect(impOf({ mediaTypes: stated }).video.mimes).to.deep.equal(['video/webm']);
    });

    it('leaves out an ad unit that offers nothing, and asks for nothing where that was all', () => {
      const nothing = () => aBid({ mediaTypes: { native: {} }, nativeOrtbRequest: { ver: '1.2', assets: [] } });
      const [{ data }] = build([nothing(), aBid()]);
      expect(data.imp.map(({ banner }) => banner != null)).to.deep.equal([true]);
      expect(build([nothing()])).to.deep.equal([]);
    });

    it('accepts the currency of the ad server and the exchange’s own', () => {
      const currencies = (cur) => build([aBid()], { site: {}, ...(cur && { cur }) })[0].data.cur;
      expect(currencies()).to.deep.equal(['USD']);
      expect(currencies(['EUR'])).to.deep.equal(['EUR', 'USD']);
      expect(currencies(['USD', 'EUR'])).to.deep.equal(['USD', 'EUR']);
    });

    describe('floors', () => {
      const floorOf = (fields, floors) => {
        const asked = [];
        const getFloor = (one) => {
          asked.push(one);
          return floors(one);
        };
        const { bidfloor, bidfloorcur } = impOf({ ...fields, getFloor });
        return { bidfloor, bidfloorcur, asked };
      };

      it('are asked for by media type and size, and the lowest counts', () => {
        const mediaTypes = {
          banner: {
            sizes: [
              [300, 250],
              [728, 90],
            ],
          },
          video: { playerSize: [640, 360] },
        };
        const floors = { '300,250': 1.5, '728,90': 1.2, '640,360': 9 };
        const found = floorOf({ mediaTypes }, ({ size, currency }) => ({ floor: floors[size], currency }));
        expect(found).to.deep.include({ bidfloor: 1.2, bidfloorcur: 'USD' });
        expect(found.asked).to.deep.equal([
          { currency: 'USD', mediaType: 'banner', size: [300, 250] },
          { currency: 'USD', mediaType: 'banner', size: [728, 90] },
          { currency: 'USD', mediaType: 'video', size: [640, 360] },
        ]);
      });

      it('are none where one of them is none, or cannot be told in the exchange’s currency', () => {
        const two = {
          mediaTypes: {
            banner: {
              sizes: [
                [300, 250],
                [728, 90],
              ],
            },
          },
        };
        for (const first of [{}, undefined, { floor: 0, currency: 'USD' }, { floor: 1, currency: 'EUR' }]) {
          const answers = [first, { floor: 2, currency: 'USD' }];
          const found = floorOf(two, () => answers.shift());
          expect(found, JSON.stringify(first)).to.deep.include({ bidfloor: undefined, bidfloorcur: undefined });
        }
      });

      it('are those of the ad unit without the module', () => {
        const found = impOf({ ortb2Imp: { bidfloor: 3, bidfloorcur: 'USD' } });
        expect(found).to.include({ bidfloor: 3, bidfloorcur: 'USD' });
      });

      it('are asked for without a size where there is none', () => {
        const nativeOrtbRequest = { ver: '1.2', assets: [{ id: 1, title: { len: 80 } }] };
        const found = floorOf({ mediaTypes: { native: {} }, nativeOrtbRequest }, () => ({ floor: 1, currency: 'USD' }));
        expect(found.asked).to.deep.equal([{ currency: 'USD', mediaType: 'native', size: '*' }]);
      });
    });
  });

  describe('interpretResponse', () => {
    const answerTo = (bid, fields, response = {}) => {
      const [request] = build([bid]);
      const sold = {
        id: '1',
        impid: bid.bidId,
        price: 2.5,
        crid: 'creative-1',
        adm: '<b>ad</b>',
        mtype: 1,
        w: 300,
        h: 250,
      };
      const seatbid = [{ seat: 'seat-1', bid: [{ ...sold, burl: BURL, nurl: NURL, exp: 600, ...fields }] }];
      return spec.interpretResponse({ body: { id: request.data.id, cur: 'USD', seatbid, ...response } }, request);
    };
    const ofNative = (native) => ({ mtype: 4, w: undefined, h: undefined, adm: JSON.stringify(native) });

    it('is no bid where nothing was sold', () => {
      const [request] = build([aBid()]);
      for (const body of ['', null, undefined, {}, { seatbid: [] }]) {
        expect(spec.interpretResponse({ body }, request), JSON.stringify(body)).to.deep.equal([]);
      }
    });

    it('is a gross bid, with what is known of its advertiser', () => {
      const bid = aBid();
      const [made] = answerTo(bid, { adomain: ['brand.example'], cat: ['IAB1', 'IAB2'], dealid: 'deal-1' });
      expect(made).to.include({ requestId: bid.bidId, cpm: 2.5, currency: 'USD', netRevenue: false, ttl: 600 });
      expect(made).to.include({
        creativeId: 'creative-1',
        width: 300,
        height: 250,
        dealId: 'deal-1',
        mediaType: 'banner',
      });
      expect(made.meta).to.deep.include({
        advertiserDomains: ['brand.example'],
        mediaType: 'banner',
        demandSource: 'seat-1',
        primaryCatId: 'IAB1',
        secondaryCatIds: ['IAB2'],
      });
    });

    it('reads the currency of the answer, and has a lifetime and no seat where none are said', () => {
      const bid = aBid();
      const [request] = build([bid]);
      const seatbid = [{ bid: [{ impid: bid.bidId, price: 2, mtype: 1, adm: 'x', crid: '1' }] }];
      const [made] = spec.interpretResponse({ body: { cur: 'EUR', seatbid } }, request);
      expect(made).to.include({ currency: 'EUR', ttl: 300 });
      expect(made.meta).not.to.have.property('demandSource');
      expect(made.eventtrackers).to.deep.equal([]);
    });

    it('leaves billing to the markup alone', () => {
      const [banner] = answerTo(aBid());
      expect(banner.ad).to.equal('<b>ad</b>');
      expect(banner).not.to.have.property('burl');
      expect(banner.eventtrackers).to.deep.equal([
        { event: 500, method: 1, url: NURL },
        { event: 2, method: 1, url: VIEWABLE },
      ]);
    });

    it('keeps the bidder’s own event trackers', () => {
      const theirs = { event: 1, method: 1, url: 'https://dsp.example/seen' };
      const [made] = answerTo(aBid(), { nurl: undefined, burl: undefined, ext: { eventtrackers: [theirs] } });
      expect(made.eventtrackers).to.deep.equal([theirs]);
    });

    it('is a video by its document, never by an address of it', () => {
      const mediaTypes = { video: { context: 'instream', playerSize: [640, 360], mimes: ['video/mp4'] } };
      const [made] = answerTo(aBid({ mediaTypes }), { mtype: 2, adm: '<VAST/>', dur: 15 });
      expect(made).to.include({ mediaType: 'video', vastXml: '<VAST/>', duration: 15 });
      expect(made).not.to.have.property('vastUrl');
      expect(made.eventtrackers).to.deep.equal([{ event: 500, method: 1, url: NURL }]);
    });

    it('is audio', () => {
      const [made] = answerTo(aBid({ mediaTypes: { audio: { mimes: ['audio/mpeg'] } } }), { mtype: 3, adm: '<VAST/>' });
      expect(made).to.include({ mediaType: 'audio', vastXml: '<VAST/>' });
      expect(made.meta.mediaType).to.equal('audio');
    });

    it('is native, and its impression is tracked whatever events the page asks for', () => {
      const impression = { event: 1, method: 1, url: BURL };
      const script = { event: 1, method: 2, url: 'https://dsp.example/script.js' };
      const viewed = { event: 2, method: 1, url: VIEWABLE };
      const native = {
        assets: [],
        link: { url: 'https://brand.example/' },
        eventtrackers: [impression, script, viewed],
      };
      const assets = [{ id: 1, title: { len: 80 } }];
      const shown = (eventtrackers) => {
        const nativeOrtbRequest = { ver: '1.2', assets, ...(eventtrackers && { eventtrackers }) };
        const [made] = answerTo(aBid({ mediaTypes: { native: {} }, nativeOrtbRequest }), ofNative(native));
        expect(made.mediaType).to.equal('native');
        return made.native.ortb;
      };
      expect(shown()).to.deep.equal(native);
      expect(shown([{ event: 1, methods: [1] }])).to.deep.equal(native);
      for (const asked of [[], [{ event: 2, methods: [1] }], [{ event: 1, methods: [2] }], [{ event: 1 }]]) {
        const { imptrackers, eventtrackers } = shown(asked);
        expect(imptrackers, JSON.stringify(asked)).to.deep.equal([BURL]);
        expect(eventtrackers, JSON.stringify(asked)).to.deep.equal([script, viewed]);
      }
      const older = { assets: [], imptrackers: [BURL] };
      const nativeOrtbRequest = { ver: '1.1', assets, eventtrackers: [] };
      const [made] = answerTo(aBid({ mediaTypes: { native: {} }, nativeOrtbRequest }), ofNative(older));
      expect(made.native.ortb).to.deep.equal(older);
    });

    it('ignores what it did not ask for', () => {
      expect(answerTo(aBid(), { impid: 'unknown' })).to.deep.equal([]);
      expect(answerTo(aBid(), { mtype: undefined })).to.deep.equal([]);
    });

    it('is made by the converter that made the request', () => {
      const [request] = build([aBid()]);
      expect(() => converter.fromORTB({ request: { ...request.data }, response: {} })).to.throw();
    });
  });

  describe('getUserSyncs', () => {
    /** Those of the supply sources that only this test has asked. */
    const syncsOf = (publisherId, options, ...consent) =>
      spec
        .getUserSyncs({ iframeEnabled: false, pixelEnabled: false, ...options }, [], ...consent)
        .filter(({ url }) => url.includes(`publisher_id=${publisherId}`));

    it('prefers a frame to an image, and makes none where neither may be', () => {
      build([aBid({ params: { publisherId: 'synced' } })]);
      const url = (type) => `https://${HOST}/sync?type=${type}&publisher_id=synced`;
      const frame = [{ type: 'iframe', url: url('iframe') }];
      expect(syncsOf('synced', { iframeEnabled: true })).to.deep.equal(frame);
      expect(syncsOf('synced', { iframeEnabled: true, pixelEnabled: true })).to.deep.equal(frame);
      expect(syncsOf('synced', { pixelEnabled: true })).to.deep.equal([{ type: 'image', url: url('pixel') }]);
      expect(syncsOf('synced', {})).to.deep.equal([]);
    });

    it('is made once for a supply source, in its environment', () => {
      const params = { publisherId: 'in-sandbox', sandbox: true };
      build([aBid({ params }), aBid({ params })]);
      build([aBid({ params })]);
      const [{ url }, ...more] = syncsOf('in-sandbox', { iframeEnabled: true });
      expect(more).to.deep.equal([]);
      expect(url).to.contain('&sandbox=true');
    });

    it('carries what the viewer allows', () => {
      build([aBid({ params: { publisherId: 'consenting' } })]);
      const gdpr = { gdprApplies: true, consentString: 'A+B/C' };
      const gpp = { gppString: 'DBAA~1', applicableSections: [2, 7] };
      const [{ url }] = syncsOf('consenting', { iframeEnabled: true }, gdpr, '1YNN', gpp, false);
      expect(Object.fromEntries(new URL(url).searchParams)).to.deep.equal({
        type: 'iframe',
        publisher_id: 'consenting',
        gdpr: '1',
        gdpr_consent: 'A+B/C',
        us_privacy: '1YNN',
        gpp: 'DBAA~1',
        gpp_sid: '2,7',
      });
      const [none] = syncsOf('consenting', { iframeEnabled: true }, { gdprApplies: false }, null, null, false);
      expect(new URL(none.url).searchParams.get('gdpr')).to.equal('0');
    });

    it('is not made of children', () => {
      build([aBid({ params: { publisherId: 'children' } })]);
      expect(syncsOf('children', { iframeEnabled: true }, null, null, null, true)).to.deep.equal([]);
    });
  });

  describe('events', () => {
    it('report imps that timed out, once for a supply source', async () => {
      const timedOut = (params) => ({ bidder: 'adexchange', timeout: 900, params: [{ host: HOST, ...params }] });
      spec.onTimeout([
        timedOut({ publisherId: 'one' }),
        timedOut({ publisherId: 'two', sandbox: true }),
        timedOut({ publisherId: 'one' }),
        timedOut({}),
      ]);
      expect(await called(2)).to.deep.equal([
        `POST https://${HOST}/track/timeout?publisher_id=one&imps=2`,
        `POST https://${HOST}/track/timeout?publisher_id=two&imps=1&sandbox=true`,
      ]);
    });

    it('report a rendered banner as measurable where a module measures views', async () => {
      const bid = {
        eventtrackers: [
          { event: 500, method: 1, url: NURL },
          { event: 2, method: 1, url: VIEWABLE },
        ],
      };
      spec.onAdRenderSucceeded(bid);
      config.setConfig({ bidViewability: { enabled: true } });
      spec.onAdRenderSucceeded({});
      spec.onAdRenderSucceeded({ eventtrackers: [{ event: 2, method: 1, url: 'https://dsp.example/view' }] });
      spec.onAdRenderSucceeded(bid);
      expect(await called(1)).to.deep.equal([`POST ${VIEWABLE.replace('viewable', 'measurable')}`]);
      config.setConfig({ bidViewability: { enabled: false }, bidViewabilityIO: { enabled: true } });
      spec.onAdRenderSucceeded(bid);
      expect(await called(2)).to.have.length(2);
    });

    it('say why there was no answer, whatever it was', () => {
      const bidderRequest = aBidderRequest([]);
      const refusal = JSON.stringify({ error: { code: 'FORBIDDEN', message: 'The domain is another.' } });
      const errors = [
        { status: 403, responseText: refusal },
        { status: 502, statusText: 'Bad Gateway', responseText: '<html>' },
        { status: 0, responseText: '', timedOut: true, reason: new Error('aborted') },
        undefined,
      ];
      for (const error of errors) expect(() => spec.onBidderError({ error, bidderRequest })).not.to.throw();
    });
  });
});
