import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { request as rawRequest } from 'undici';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { callJson, PROVIDER_PAIRS } from '../support/exchange.ts';
import { pixelOf } from '../support/pixel-of.ts';
import { ABSENT_ID, againstExchange, errorOf } from './against-exchange.ts';
import { BANNER, type Market, VAST, VIDEO } from './market.ts';
import { shows } from './shows.ts';

const NATIVE = JSON.stringify({ ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }] });
const NATIVE_AD = JSON.stringify({
  ver: '1.2',
  assets: [{ id: 1, title: { text: 'An ad' } }],
  link: { url: 'https://advertiser.test/' },
});
const NO_SIZE = { w: undefined, h: undefined };

againstExchange(
  'the auction',
  (exchange) => {
    let market: Market;
    const winner = () => market.bidders[1]!;
    const post = (body: unknown, headers: Record<string, string> = {}, path = '/rtb') =>
      callJson('POST', `${exchange.running.edgeUrl}${path}`, body, headers);

    before(async () => {
      market = await exchange.market({
        publisher: { content_genre: 'drama', floor_price_cpm: 0.2 },
        pool: { floor_price_cpm: 0.3 },
        bidders: [
          { script: bids({ price: 1.25 }), dsp: { openrtb_version: '2.5' } },
          { script: bids({ price: 2.5, seat: 'seat-2', crid: 'creative-2' }) },
        ],
      });
    });
    afterEach(() => {
      market.bidders[0]!.script = bids({ price: 1.25 });
      winner().script = bids({ price: 2.5, seat: 'seat-2', crid: 'creative-2' });
    });

    describe('takes', () => {
      shows('edge.post.root', async () => expect((await post(market.request(), {}, '/')).status).to.equal(200));
      shows('edge.post.rtb', async () => expect((await post(market.request(), {}, '/rtb')).status).to.equal(200));
      const places: Readonly<Record<string, (id: string) => object>> = {
        'site.id': (id) => ({ site: { id } }),
        'site.publisher.id': (id) => ({ site: { id: 'their own', publisher: { id } } }),
        'app.id': (id) => ({ site: undefined, app: { id } }),
        'app.publisher.id': (id) => ({ site: undefined, app: { publisher: { id } } }),
      };
      for (const [place, fields] of Object.entries(places)) {
        shows(`edge.post.${place}`, async () => {
          const { burl } = await market.bid({ ...fields(market.publisherId) });
          expect(new URL(burl).searchParams.get('pub')).to.equal(market.publisherId);
        });
      }
      shows('edge.post.key-optional', async () => {
        expect((await post(market.request(), { 'X-API-Key': exchange.running.liveKey })).status).to.equal(200);
        expect((await post(market.request())).status).to.equal(200);
      });
      shows('edge.post.gzip', async () => {
        const adm = `<p>${'a long ad '.repeat(300)}</p>`;
        winner().script = bids({ price: 2.5, adm });
        const answer = await rawRequest(`${exchange.running.edgeUrl}/rtb`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'accept-encoding': 'gzip' },
          body: gzipSync(JSON.stringify(market.request())),
        });
        expect(answer.statusCode).to.equal(200);
        expect(answer.headers['content-encoding']).to.equal('gzip');
        const text = gunzipSync(Buffer.from(await answer.body.arrayBuffer())).toString();
        expect(JSON.parse(text).seatbid[0].bid[0].adm).to.contain(adm);
      });
    });

    describe('answers', () => {
      shows(['edge.post.200', 'overview.first-price', 'edge.post.price'], async () => {
        const request = market.request();
        const { status, body } = await post(request);
        expect(status).to.equal(200);
        expect(body.id).to.equal(request.id);
        const [{ seat, bid }] = body.seatbid;
        expect(seat).to.equal('seat-2');
        expect(bid[0]).to.include({ impid: '1', price: 2.5, crid: 'creative-2' });
        // Higher, and not valid: of another size.
        market.bidders[0]!.script = bids({ price: 9, w: 1, h: 1 });
        expect((await market.bid()).price).to.equal(2.5);
      });
      shows(['edge.post.page', 'edge.post.mtype-exp'], async () => {
        const page = { 'content-type': 'text/plain', origin: 'https://site.test', 'user-agent': BROWSER_USER_AGENT };
        for (const path of ['/rtb?gzip=1', '/rtb']) {
          for (const write of [(text: string) => text, gzipSync]) {
            const answer = await rawRequest(`${exchange.running.edgeUrl}${path}`, {
              method: 'POST',
              headers: page,
              body: write(JSON.stringify(market.request())),
            });
            expect(answer.statusCode, path).to.equal(200);
            // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
            const { seatbid } = (await answer.body.json()) as any;
            expect(seatbid[0].bid[0]).to.include({ mtype: 1, exp: 3_600 });
          }
        }
      });
      shows(['edge.post.adm', 'edge.pixel-first', 'overview.format.banner'], async () => {
        const { adm, burl } = await market.bid();
        const [pixel, ad] = adm.split(/(?<=>)/);
        expect(pixel).to.match(/^<img /);
        expect(pixel)
          .to.match(/width="1"/)
          .and.match(/height="1"/);
        expect(pixel).to.contain('display:none');
        expect(/src="([^"]+)"/.exec(pixel)![1]!.replaceAll('&amp;', '&')).to.equal(pixelOf(burl));
        expect(ad).to.equal('<a href="https://advertiser.test/">');
      });
      shows('edge.post.burl', async () => {
        const { burl } = await market.bid();
        expect(burl).to.match(new RegExp(`^${exchange.running.edgeUrl}/track/impression\\?`));
      });
      shows('edge.post.nurl', async () => {
        const report = async (win: string, times: number) => {
          winner().script = bids({ price: 2.5, nurl: `${winner().origin}/won/${win}?price=\${AUCTION_PRICE}` });
          const { nurl } = await market.bid();
          for (let time = 0; time < times; time++) expect((await fetch(nurl)).status).to.equal(204);
          return winner().waitForRequests(`/won/${win}`);
        };
        const [notice] = await report('first', 2);
        expect(notice!.path).to.equal('/won/first?price=2.5');
        // By the time that a later win is heard of, the first one would have been heard of twice.
        await report('second', 1);
        expect(winner().received.filter(({ path }) => path.startsWith('/won/first'))).to.have.length(1);
      });
      shows('edge.post.204', async () => {
        const answer = await market.ask({ imp: [{ ...BANNER, bidfloor: 2.51 }] });
        expect([answer.status, answer.body]).to.deep.equal([204, '']);
      });
      shows('edge.post.204.no-demand', async () => {
        const alone = await exchange.market({});
        expect((await alone.ask()).status).to.equal(204);
      });
      shows('edge.multi-imp', async () => {
        const imp = ['1', '2', '3'].map((id) => ({ ...BANNER, id, bidfloor: id === '2' ? 3 : 1 }));
        const { body } = await market.ask({ imp });
        const sold = body.seatbid.flatMap(({ bid }: { bid: { impid: string }[] }) => bid.map(({ impid }) => impid));
        expect(sold).to.have.members(['1', '3']);
      });
    });

    describe('formats', () => {
      shows(['overview.format.video', 'edge.vast-impression'], async () => {
        winner().script = bids({ price: 2.5, adm: VAST, ...NO_SIZE });
        const { adm, burl } = await market.bid({ imp: [VIDEO] });
        const urls = [...adm.matchAll(/<Impression[^>]*>(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?<\/Impression>/g)];
        const impressions = urls.map(([, url]) => url!.replaceAll('&amp;', '&'));
        expect(impressions).to.have.members(['https://dsp.test/seen', pixelOf(burl)]);
      });
      shows(['overview.format.native', 'edge.native-tracker', 'version.native'], async () => {
        winner().script = bids({ price: 2.5, adm: NATIVE_AD, ...NO_SIZE });
        const request = market.request({ imp: [{ id: '1', native: { request: NATIVE, ver: '1.2' } }] });
        const { adm, burl } = await market.bid(request);
        expect(winner().asked(request.id)!.body.imp[0].native.ver).to.equal('1.2');
        const native = JSON.parse(adm);
        expect(native.assets[0].title.text).to.equal('An ad');
        const urls = [
          ...(native.eventtrackers ?? []).map(({ url }: { url: string }) => url),
          ...(native.imptrackers ?? []),
        ];
        expect(urls).to.deep.equal([pixelOf(burl)]);
      });
      shows('overview.format.audio', async () => {
        winner().script = bids({ price: 2.5, adm: VAST, ...NO_SIZE });
        const audio = { mimes: ['audio/mpeg'], protocols: [3], minduration: 5, maxduration: 30 };
        const request = market.request({ imp: [{ id: '1', audio }] });
        const { adm } = await market.bid(request);
        expect(adm).to.contain('/track/impression?');
        expect(winner().asked(request.id)!.body.imp[0].audio).to.deep.include(audio);
      });
    });

    describe('asks bidders', () => {
      const asked = async (fields: Record<string, unknown> = {}) => {
        const request = market.request(fields);
        await post(request);
        return market.bidders.map((bidder) => bidder.asked(request.id)!);
      };

      shows('overview.mode.rtb', async () => {
        const [, to26] = await asked();
        expect(to26!.method).to.equal('POST');
        expect(to26!.headers['content-type']).to.match(/^application\/json/);
        expect(to26!.body.imp[0].banner).to.include({ w: 300, h: 250 });
      });
      shows(['edge.dialect', 'edge.consent.gdpr', 'version.openrtb.2.6'], async () => {
        const [to25, to26] = await asked({ regs: { gdpr: 1 }, user: { consent: 'CO' } });
        expect(to25!.headers['x-openrtb-version']).to.equal('2.5');
        expect(to25!.body.regs.ext.gdpr).to.equal(1);
        expect(to25!.body.user.ext.consent).to.equal('CO');
        expect(to26!.headers['x-openrtb-version']).to.equal('2.6');
        expect(to26!.body.regs.gdpr).to.equal(1);
        expect(to26!.body.user.consent).to.equal('CO');
      });
      shows(['edge.2.5', 'version.openrtb.2.5'], async () => {
        const [to25, to26] = await asked({ regs: { ext: { gdpr: 1 } }, user: { ext: { consent: 'CO' } } });
        expect(to26!.body.regs.gdpr).to.equal(1);
        expect(to26!.body.user.consent).to.equal('CO');
        expect(to25!.body.regs.ext.gdpr).to.equal(1);
      });
      shows('edge.consent.us_privacy', async () => {
        const [to25, to26] = await asked({ regs: { us_privacy: '1YNN' } });
        expect(to25!.body.regs.ext.us_privacy).to.equal('1YNN');
        expect(to26!.body.regs.us_privacy).to.equal('1YNN');
      });
      shows('edge.consent.gpp', async () => {
        const [to25, to26] = await asked({ regs: { gpp: 'DBAA', gpp_sid: [7, 8] } });
        expect(to26!.body.regs).to.deep.include({ gpp: 'DBAA', gpp_sid: [7, 8] });
        expect(to25!.body.regs.ext).to.deep.include({ gpp: 'DBAA', gpp_sid: [7, 8] });
      });
      shows('edge.unknown-fields', async () => {
        const imp = [{ ...BANNER, ext: { ours: 'of the imp' } }];
        for (const one of await asked({ ext: { theirs: { deep: [1] } }, novelty: 'yes', imp })) {
          expect(one.body.imp[0].ext.ours).to.equal('of the imp');
          expect(one.body.ext.theirs).to.deep.equal({ deep: [1] });
          expect(one.body.novelty).to.equal('yes');
        }
      });
      shows('supply.content_genre.used', async () => {
        const site = (content: object) => ({ site: { id: market.publisherId, ...content } });
        for (const { body } of await asked(site({}))) expect(body.site.content.genre).to.equal('drama');
        for (const { body } of await asked({ site: undefined, app: { id: market.publisherId } })) {
          expect(body.app.content.genre).to.equal('drama');
        }
        for (const { body } of await asked(site({ content: { genre: 'news' } }))) {
          expect(body.site.content.genre).to.equal('news');
        }
      });
      shows('overview.subscription', async () => {
        const other = await exchange.market({ bidders: [{ script: bids({ price: 9 }) }] });
        const request = market.request();
        expect((await post(request)).body.seatbid[0].bid[0].price).to.equal(2.5);
        expect(other.bidders[0]!.asked(request.id)).to.equal(undefined);
      });
    });

    describe('block lists', () => {
      const lists = {
        'edge.blocked-categories': [{ blocked_categories: ['IAB25'] }, { cat: ['IAB25'] }, 'bcat', 'IAB25'],
        'edge.blocked-domains': [{ blocked_domains: ['bad.test'] }, { adomain: ['bad.test'] }, 'badv', 'bad.test'],
      } as const;
      for (const [id, [publisher, offence, list, blocked]] of Object.entries(lists)) {
        shows(id, async () => {
          const offender = bids({ price: 5, ...offence });
          const strict = await exchange.market({
            publisher,
            bidders: [{ script: offender }, { script: bids({ price: 1 }) }],
          });
          const request = strict.request();
          expect((await strict.bid(request)).price).to.equal(1);
          expect(strict.bidders[0]!.asked(request.id)!.body[list]).to.include(blocked);
        });
      }
    });

    describe('floors', () => {
      const floorTold = async (priced: Market) => {
        const request = priced.request();
        const answer = await post(request);
        return [answer.status, priced.bidders[0]!.asked(request.id)!.body.imp[0].bidfloor];
      };
      for (const [id, terms] of Object.entries({
        'supply.floor.used': { publisher: { floor_price_cpm: 1.5 } },
        'pool.floor.used': { pool: { floor_price_cpm: 1.5 } },
      })) {
        shows(id, async () => {
          const priced = await exchange.market({ ...terms, bidders: [{ script: bids({ price: 1.49 }) }] });
          expect(await floorTold(priced)).to.deep.equal([204, 1.5]);
          priced.bidders[0]!.script = bids({ price: 1.5 });
          expect(await floorTold(priced)).to.deep.equal([200, 1.5]);
        });
      }
    });

    describe('refuses', () => {
      shows('edge.post.403.unknown', async () =>
        expect(errorOf(await post(market.request({ site: { id: ABSENT_ID } })))).to.equal('403 FORBIDDEN'),
      );
      shows(['edge.post.403.floor', 'overview.blocked'], async () => {
        for (const bidfloor of [-1, 1e9]) {
          const before = winner().received.length;
          const answer = await post(market.request({ imp: [{ ...BANNER, bidfloor }] }));
          expect(errorOf(answer)).to.equal('403 FORBIDDEN');
          expect(answer.body.error.message).to.include('imp[0].bidfloor');
          expect(winner().received).to.have.length(before);
        }
      });
      shows('edge.post.400.json', async () =>
        expect(errorOf(await post('{"id": "half a docu'))).to.equal('400 INVALID_JSON'),
      );
      shows('edge.post.400.document', async () => {
        expect(errorOf(await post(market.request({ imp: undefined })))).to.equal('400 INVALID_PARAMS imp');
        const twice = await post(market.request({ imp: [BANNER, BANNER] }));
        expect(errorOf(twice)).to.match(/^400 VALIDATION_ERROR imp\[1\]/);
        expect(errorOf(await post(market.request({ id: 7 })))).to.equal('400 VALIDATION_ERROR id');
      });
      shows('edge.post.400.no-publisher', async () =>
        expect((await post(market.request({ site: { page: 'https://site.example/' } }))).status).to.equal(400),
      );
      shows('edge.post.401', async () => {
        const answer = await post(market.request(), { 'X-API-Key': 'pk_live_nobody_has_this_one' });
        expect(errorOf(answer)).to.equal('401 UNAUTHORIZED');
      });
      shows('edge.post.405', async () => {
        for (const path of ['/', '/rtb']) {
          const answer = await callJson('GET', `${exchange.running.edgeUrl}${path}`);
          expect(errorOf(answer)).to.equal('405 METHOD_NOT_ALLOWED');
          expect(answer.headers.get('allow')).to.equal('POST');
        }
      });
      shows('edge.post.413', async () => {
        const answer = await post(market.request({ ext: { filler: 'x'.repeat(1024 * 1024) } }));
        expect(errorOf(answer)).to.equal('413 PAYLOAD_TOO_LARGE');
      });
      shows('edge.post.415', async () => {
        const answer = await post(JSON.stringify(market.request()), { 'Content-Type': 'text/html' });
        expect(errorOf(answer)).to.equal('415 UNSUPPORTED_MEDIA_TYPE');
      });
      shows('edge.404', async () =>
        expect(errorOf(await callJson('GET', `${exchange.running.edgeUrl}/nowhere`))).to.equal('404 NOT_FOUND'),
      );
    });

    shows('overview.same-base-url', async () => {
      const both = await exchange.market({
        bidders: [{ script: bids({ price: 1 }) }, { script: bids({ price: 2 }), dsp: { sandbox: true } }],
      });
      expect((await both.bid()).price).to.equal(1);
      expect((await both.bid({}, { 'X-Sandbox': 'true' })).price).to.equal(2);
      const [live, rehearsal] = both.bidders.map(({ dspId }) => `/api/demand/sources/${dspId}`) as [string, string];
      expect((await exchange.get(live)).status).to.equal(200);
      expect((await exchange.get(live, { 'X-Sandbox': 'true' })).status).to.equal(404);
      expect((await exchange.get(rehearsal, { 'X-Sandbox': 'true' })).status).to.equal(200);
    });
  },
  { pairs: PROVIDER_PAIRS, steady: true },
);
