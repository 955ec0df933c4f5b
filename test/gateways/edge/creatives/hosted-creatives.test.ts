// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { creativeId, fingerprintOf } from '#edge/creatives/creative-id';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';
import { bids, type ScriptedBid } from '#test/support/bidder';
import { bannerRequest, EdgeUnderTest } from '#test/support/edge';
import { ADM, auctionedCreatives } from './auctioned-creatives.ts';

describe('creatives in auctions that the exchange hosts', () => {
  let exchange: EdgeUnderTest;
  const { known, sold } = auctionedCreatives(() => exchange);
  const files = new Map<string, Buffer>();
  let reads = 0;
  const host = (markup: HostedMarkup): string => {
    const bytes = Buffer.from(JSON.stringify(markup));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.set(sha256, bytes);
    return sha256;
  };
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
    reads = 0;
    files.clear();
    exchange.creatives = {
      open: async (sha256) => {
        reads += 1;
        const bytes = files.get(sha256);
        if (bytes === undefined) return null;
        return { bytes: bytes.length, mimeType: 'application/json', read: async () => Readable.from([bytes]) };
      },
    };
  });
  afterEach(() => exchange.close());
  const banner = (markup: string): HostedMarkup => ({ format: 'banner', markup, vastVersion: null });

  it('are served from its hosts from the second sale on, with their macros filled', async () => {
    await exchange.bidder(bids({ price: 2 }), { creatives: 'stable' });
    const hosted = host(
      banner(
        '<img src="${EXCHANGE_CREATIVES_URL}/creative/ab"><img src="https://t.test/?a=${AUCTION_ID}&b=${EXCHANGE_BID_ID}&p=${AUCTION_PRICE}&r=${EXCHANGE_CACHE_BUSTER}">',
      ),
    );
    known({ hosted });
    expect(await sold(), 'no auction waits for a file').to.include(ADM);
    const adm = (await sold(bannerRequest({ id: 'auction-2' })))!;
    expect(adm).to.not.include(ADM);
    expect(adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression/);
    expect(adm).to.match(
      /<img src="https:\/\/edge\.test\/creative\/ab"><img src="https:\/\/t\.test\/\?a=auction-2&b=bid-1&p=2&r=\d{10}">$/,
    );
    await sold();
    expect(reads, 'a file is read once').to.equal(1);
  });

  it('are served as they come where the file cannot be read', async () => {
    await exchange.bidder(bids({ price: 2 }));
    known({ hosted: 'c'.repeat(64) });
    for (let number = 0; number < 3; number++) expect(await sold()).to.include(ADM);
    expect(reads).to.equal(1);
    expect(exchange.logged.map(({ message }) => message)).to.deep.equal([
      'hosted markup could not be read: the creative is served as it comes',
    ]);
  });

  it('are served as they come where hosted markup would load insecurely and the imp must be secure', async () => {
    await exchange.bidder(bids({ price: 2 }));
    known({ hosted: host(banner('<img src="http://t.test/px">')) });
    const request = (secure: number) => bannerRequest({ imp: [{ id: '1', banner: { w: 300, h: 250 }, secure }] });
    await sold(request(0));
    expect(await sold(request(1))).to.include(ADM);
    expect(await sold(request(0))).to.include('http://t.test/px');
  });

  it('are served as they come where other markup is bid under the same crid', async () => {
    const bidder = await exchange.bidder(bids({ price: 2 }));
    known({ hosted: host(banner('<b>hosted</b>')) });
    await sold();
    expect(await sold()).to.include('<b>hosted</b>');
    bidder.script = bids({ price: 2, adm: '<b>other</b>' });
    expect(await sold()).to.include('<b>other</b>');
  });

  describe('as VAST', () => {
    const vast = (url: string) =>
      `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression><![CDATA[https://t.test/i]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[${url}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const wrapper =
      '<VAST version="3.0"><Ad id="1"><Wrapper><AdSystem>a</AdSystem><VASTAdTagURI><![CDATA[https://a.test/vast]]></VASTAdTagURI><Impression><![CDATA[https://t.test/w]]></Impression></Wrapper></Ad></VAST>';
    const bid: ScriptedBid = { price: 2, adm: wrapper, mtype: 2 };
    const request = (protocols?: readonly number[]) =>
      bannerRequest({
        imp: [{ id: '1', video: { mimes: ['video/mp4'], w: 640, h: 360, ...(protocols && { protocols }) } }],
      });
    const id = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: fingerprintOf(wrapper) });

    it('are served unwrapped where the imp takes inline documents of the version', async () => {
      await exchange.bidder(bids(bid));
      const hosted = host({
        format: 'video',
        markup: vast('${EXCHANGE_CREATIVES_URL}/creative/ab'),
        vastVersion: '3.0',
      });
      known({ hosted }, id);
      expect(await sold(request())).to.include('https://a.test/vast');
      for (const protocols of [undefined, [3], [2, 3, 6]]) {
        const adm = (await sold(request(protocols)))!;
        expect(adm).to.include('https://edge.test/creative/ab').and.to.include('/track/impression');
        expect(adm).to.not.include('VASTAdTagURI');
      }
      expect(await sold(request([2, 6]))).to.include('https://a.test/vast');
    });
  });
});
