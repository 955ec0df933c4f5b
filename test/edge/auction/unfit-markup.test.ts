import { expect } from 'chai';
import { answer, bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const VIDEO = { mimes: ['video/mp4'], protocols: [2, 3, 7], w: 640, h: 480, minduration: 5, maxduration: 15 };
const file = (type: string) =>
  `<MediaFile type="${type}" delivery="progressive" width="1" height="1">https://dsp.test/f</MediaFile>`;
const linear = (duration: string, ...types: readonly string[]) =>
  `<Creatives><Creative><Linear>${duration}<MediaFiles>${types.map(file).join('')}</MediaFiles></Linear></Creative></Creatives>`;
const ad = (creatives: string) =>
  `<Ad><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression>https://dsp.test/i</Impression>${creatives}</InLine></Ad>`;
const vast = (...ads: readonly string[]) => `<VAST version="3.0">${ads.join('')}</VAST>`;
const DEAR_BY_RANGE = { durfloors: [{ mindur: 10, bidfloor: 8 }] };
const ON_DEAL = { dealid: 'd' };
const SHORT_AD = ad(linear('<Duration>00:00:15</Duration>', 'video/mp4'));
const LONG_AD = ad(linear('<Duration>00:01:00</Duration>', 'video/mp4'));
const WRAPPER = vast(
  '<Ad><Wrapper><AdSystem>a</AdSystem><VASTAdTagURI>https://dsp.test/vast</VASTAdTagURI><Impression>https://dsp.test/i</Impression></Wrapper></Ad>',
);
const OVERLAY_AD = ad(
  '<Creatives><Creative><NonLinearAds><NonLinear width="300" height="50"><StaticResource creativeType="image/png">https://dsp.test/o.png</StaticResource></NonLinear></NonLinearAds></Creative></Creatives>',
);
const OVERLAY = vast(OVERLAY_AD);
const lasting = (clock: string, type = 'video/mp4') => vast(ad(linear(`<Duration>${clock}</Duration>`, type)));

const NATIVE = {
  ver: '1.2',
  assets: [
    { id: 1, required: 1, title: { len: 25 } },
    { id: 2, required: 1, img: { type: 3 } },
    { id: 3, required: 1, data: { type: 1 } },
    { id: 4, required: 0, data: { type: 2 } },
    { id: 5, required: 1, video: { mimes: ['video/mp4'], minduration: 5, maxduration: 15, protocols: [2] } },
  ],
};
const ASSETS = [
  { id: 1, title: { text: 'A title' } },
  { id: 2, img: { url: 'https://dsp.test/p.png' } },
  { id: 3, data: { value: 'Sponsor' } },
  { id: 5, video: { vasttag: lasting('00:00:15') } },
];
const native = (assets: readonly object[], fields: object = {}) =>
  JSON.stringify({ assets, link: { url: 'https://dsp.test/' }, ...fields });

describe('a bidder’s markup that the imp does not take', () => {
  let edge: EdgeUnderTest;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
  });
  afterEach(() => edge.close());

  /** The reason for which the bid at 5 CPM loses to the one at 1 CPM; null where it wins. */
  const refusal = async (imp: object, adm: string, fit: string, bid: object = {}): Promise<string | null> => {
    const dear = await edge.bidder(bids({ price: 5, adm, ...bid }), { id: 'dsp-1' });
    dear.script = bids({ price: 5, adm, lurl: `${dear.origin}/lost?\${AUCTION_LOSS}`, ...bid });
    await edge.bidder(bids({ price: 1, adm: fit }), { id: 'dsp-2' });
    const answer = await jsonOf(await edge.post(bannerRequest({ imp: [{ id: '1', ...imp }] })));
    const [{ price }] = answer.seatbid[0].bid;
    if (price === 5) return null;
    await dear.waitForRequests('/lost');
    const [record] = (await edge.records()).slice(-1);
    const [lost] = record!.parts.find(({ dspId }) => dspId === 'dsp-1')!.bids;
    return lost!.reason;
  };
  const refusalOfVideo = (
    adm: string,
    video: { linearity?: number; [field: string]: unknown } = {},
    bid: object = {},
  ) => refusal({ video: { ...VIDEO, ...video } }, adm, video.linearity === 2 ? OVERLAY : lasting('00:00:15'), bid);
  const refusalOfNative = (adm: string, request: object = NATIVE) =>
    refusal({ native: { request: JSON.stringify(request), ver: '1.2' } }, adm, native(ASSETS));

  for (const [what, adm, video, reason] of [
    ['is longer than maxduration', lasting('00:00:30'), {}, 'duration-not-allowed'],
    ['is longer, stated in CDATA', lasting('<![CDATA[ 00:00:30 ]]>'), {}, 'duration-not-allowed'],
    ['is shorter than minduration', lasting('00:00:02'), {}, 'duration-not-allowed'],
    ['has none of the required lengths', lasting('00:00:12'), { rqddurs: [6, 15] }, 'duration-not-allowed'],
    ['has a required length', lasting('00:00:15.040'), { rqddurs: [6, 15] }, null],
    ['is longer by less than a second', lasting('00:00:15.900'), {}, null],
    ['is of a length that cannot be read', lasting('long'), {}, null],
    ['has an ad among others that is longer', vast(LONG_AD, SHORT_AD), {}, null],
    ['has none of several ads that fits', vast(LONG_AD, LONG_AD), {}, 'duration-not-allowed'],
    ['has a longer ad first, in a pod', vast(LONG_AD, SHORT_AD), { podid: 'p' }, 'duration-not-allowed'],
    ['has a longer ad later, in a pod', vast(SHORT_AD, LONG_AD), { podid: 'p' }, null],
    [
      'has a pod of its own with a longer ad',
      vast(...[SHORT_AD, LONG_AD].map((one, index) => one.replace('<Ad>', `<Ad sequence="${index + 1}">`))),
      {},
      'duration-not-allowed',
    ],
    ['is extended without end', lasting('00:10:00'), { maxextended: -1 }, null],
    ['is extended by what is allowed', lasting('00:00:20'), { maxextended: 5 }, null],
    ['is extended by more than is allowed', lasting('00:00:22'), { maxextended: 5 }, 'duration-not-allowed'],
    ['is long where no length is the longest', lasting('00:10:00'), { maxduration: 0 }, null],
    ['states a length of 0', lasting('00:00:00'), {}, null],
    ['is of a type that a wildcard takes', lasting('00:00:15', 'video/ogg'), { mimes: ['video/*'] }, null],
    [
      'is of a type that a wildcard does not take',
      lasting('00:00:15', 'audio/ogg'),
      { mimes: ['video/*'] },
      'format-not-offered',
    ],
    ['is over the content, where the imp is in the break', OVERLAY, { linearity: 1 }, 'format-not-offered'],
    ['is over the content, where the imp takes either', OVERLAY, {}, null],
    ['is over the content, where the imp is so', OVERLAY, { linearity: 2 }, null],
    ['is in the break, where the imp is', lasting('00:00:15'), { linearity: 1 }, null],
    ['is in the break, where the imp is over the content', lasting('00:00:15'), { linearity: 2 }, 'format-not-offered'],
    ['is a wrapper, where the imp is in the break', WRAPPER, { linearity: 1 }, null],
    ['has no creative, where the imp is in the break', vast(ad('<Creatives/>')), { linearity: 1 }, null],
    ['has an ad over the content beside one in the break', vast(OVERLAY_AD, SHORT_AD), { linearity: 1 }, null],
    ['says no MIME type', lasting('00:00:15', 'mp4'), {}, null],
    ['says another name of the type', lasting('00:00:15', 'video/x-m4v'), {}, null],
    ['has no file of a type that the imp takes', lasting('00:00:15', 'video/webm'), {}, 'format-not-offered'],
    [
      'has one file of several that the imp takes',
      vast(ad(linear('<Duration>00:00:15</Duration>', 'video/webm', ' VIDEO/MP4; codecs=avc1'))),
      {},
      null,
    ],
    ['has a file without a type', lasting('00:00:15', ''), {}, null],
    [
      'states a length in an extension',
      vast(
        ad(
          `${linear('', 'video/mp4')}<Extensions><Extension><Linear><Duration>00:09:00</Duration></Linear></Extension></Extensions>`,
        ),
      ),
      {},
      null,
    ],
    [
      'is longer, with an Error beside its ad',
      lasting('00:00:30').replace('</VAST>', '<Error>https://dsp.test/e</Error></VAST>'),
      {},
      'duration-not-allowed',
    ],
    [
      'is longer, with an Error before its ad, in a pod',
      lasting('00:00:30').replace('<Ad', '<Error>https://dsp.test/e</Error><Ad'),
      { podid: 'p' },
      'duration-not-allowed',
    ],
    [
      'has no file of a type that the imp takes, with an Extension beside its ad',
      lasting('00:00:15', 'video/webm').replace('</VAST>', '<Extension/></VAST>'),
      {},
      'format-not-offered',
    ],
    ['has a DOCTYPE', `<!DOCTYPE VAST [<!ENTITY a "b">]>${lasting('00:00:15')}`, {}, 'creative-rejected'],
    [
      'has a DOCTYPE without entities',
      `<?xml version="1.0"?>\n<!DOCTYPE VAST SYSTEM "https://dsp.test/vast.dtd">${lasting('00:00:15')}`,
      {},
      'creative-rejected',
    ],
  ] as const) {
    it(`${reason === null ? 'does not lose' : `loses as ${reason}`}: VAST that ${what}`, async () => {
      expect(await refusalOfVideo(adm, video)).to.equal(reason);
    });
  }

  for (const [what, adm, video, bid, reason] of [
    ['lasts as long as a dearer floor is for', lasting('00:00:12'), DEAR_BY_RANGE, {}, 'below-floor'],
    ['is shorter than a dearer floor is for', lasting('00:00:08'), DEAR_BY_RANGE, {}, null],
    ['costs too much for each second', lasting('00:00:12'), { mincpmpersec: 1 }, {}, 'below-floor'],
    [
      'lasts longer than its bid said for a cheaper floor',
      lasting('00:00:12'),
      DEAR_BY_RANGE,
      { dur: 8 },
      'duration-not-allowed',
    ],
    ['costs too much for each second of a deal', lasting('00:00:12'), {}, ON_DEAL, 'below-deal-floor'],
    ['costs enough for each second of a deal', lasting('00:00:05'), {}, ON_DEAL, null],
    [
      'lasts longer than its bid said for the floor of a deal',
      lasting('00:00:12'),
      {},
      { ...ON_DEAL, dur: 5 },
      'duration-not-allowed',
    ],
    [
      'costs less for each second than the imp asks, and enough for its deal',
      lasting('00:00:05'),
      { mincpmpersec: 2 },
      ON_DEAL,
      null,
    ],
    ['lasts longer than its bid said where only a deal asks', lasting('00:00:12'), {}, { dur: 5 }, null],
    ['is a wrapper, which may last as long as a dearer floor is for', WRAPPER, DEAR_BY_RANGE, {}, 'below-floor'],
    ['is a wrapper, which may cost too much for each second', WRAPPER, { mincpmpersec: 0.4 }, {}, 'below-floor'],
    ['is a wrapper, which costs enough for each second', WRAPPER, { mincpmpersec: 0.3 }, {}, null],
    ['is a wrapper, which may cost too much on a deal', WRAPPER, {}, ON_DEAL, 'below-deal-floor'],
    [
      'is a wrapper, by the second, without a longest length',
      WRAPPER,
      { maxduration: 0, mincpmpersec: 0.001 },
      {},
      'duration-not-allowed',
    ],
    ['is a wrapper whose bid says its length', WRAPPER, { mincpmpersec: 0.4 }, { dur: 10 }, null],
    ['has ads of two lengths', vast(SHORT_AD, SHORT_AD), { mincpmpersec: 0.4 }, {}, 'below-floor'],
  ] as const) {
    it(`${reason === null ? 'sells' : `loses as ${reason}`}: VAST that ${what}`, async () => {
      await edge.bidder(bids({ price: 5, adm, ...bid }));
      const imp = { id: '1', video: { ...VIDEO, ...video }, pmp: { deals: [{ id: 'd', mincpmpersec: 1 }] } };
      const { status } = await edge.post(bannerRequest({ imp: [imp] }));
      expect(status).to.equal(reason === null ? 200 : 204);
      const [record] = await edge.records();
      expect(record!.parts[0]!.bids[0]!.reason ?? null).to.equal(reason);
    });
  }

  it('loses in a dynamic portion when it is longer than its bid said', async () => {
    const portion = { poddur: 60, maxduration: 60, podid: 'p' };
    const bid = { dur: 10 };
    await edge.bidder(bids({ price: 5, adm: lasting('00:00:40'), ...bid }), { id: 'dsp-1' });
    const ask = () => edge.post(bannerRequest({ imp: [{ id: '1', video: { ...VIDEO, ...portion } }] }));
    expect((await ask()).status).to.equal(204);
    await edge.bidder(bids({ price: 5, adm: lasting('00:00:10'), ...bid }), { id: 'dsp-1' });
    expect((await ask()).status).to.equal(200);
  });

  it('loses for an audio imp when it is over the content', async () => {
    const audio = { mimes: ['audio/mpeg'], protocols: [3], maxduration: 15 };
    const fit = lasting('00:00:15', 'audio/mpeg');
    expect(await refusal({ audio }, OVERLAY, fit)).to.equal('format-not-offered');
    expect(await refusal({ audio }, fit, fit)).to.equal(null);
  });

  for (const [what, assets, reason] of [
    ['all required assets', ASSETS, null],
    ['an optional asset, too', [...ASSETS, { id: 4, data: { value: 'Body' } }], null],
    ['ids as texts', ASSETS.map((one) => ({ ...one, id: String(one.id) })), null],
    ['no ids', ASSETS.map(({ id: _, ...parts }) => parts), null],
    ['no title', ASSETS.slice(1), 'creative-rejected'],
    ['an empty title', [{ id: 1, title: { text: ' ' } }, ...ASSETS.slice(1)], 'creative-rejected'],
    [
      'a title where an image is required',
      [{ id: 2, title: { text: 'x' } }, ASSETS[0]!, ...ASSETS.slice(2)],
      'creative-rejected',
    ],
    ['an image without a URL', [ASSETS[0]!, { id: 2, img: {} }, ...ASSETS.slice(2)], 'creative-rejected'],
    ['no sponsor', ASSETS.filter(({ id }) => id !== 3), 'creative-rejected'],
    ['no video', ASSETS.filter(({ id }) => id !== 5), 'creative-rejected'],
    ['nothing', [], 'creative-rejected'],
  ] as const) {
    it(`${reason === null ? 'does not lose' : `loses as ${reason}`}: a native ad with ${what}`, async () => {
      expect(await refusalOfNative(native(assets))).to.equal(reason);
    });
  }

  it('does not lose: a native ad whose assets are fetched from elsewhere', async () => {
    expect(await refusalOfNative(native([], { assetsurl: 'https://dsp.test/assets' }))).to.equal(null);
  });

  it('is judged by kind where the request gives its assets no ids', async () => {
    const request = {
      ver: '1.0',
      assets: [
        { required: 1, title: { len: 25 } },
        { required: 1, img: { type: 3 } },
      ],
    };
    expect(await refusalOfNative(native([{ id: 7, title: { text: 'x' } }]), request)).to.equal('creative-rejected');
    expect(await refusalOfNative(native(ASSETS), request)).to.equal(null);
  });

  it('costs its bidder no bid for another imp, however many of its ads an imp does not take', async () => {
    const dear = await edge.bidder(bids({ price: 1 }), { id: 'dsp-1' });
    dear.script = ({ body }, response) => {
      const bid = (id: number, impid: string, clock: string) => ({
        ...{
          id: `b${id}`,
          impid,
          price: 9 - id / 10,
          adm: lasting(clock),
          crid: `c${id}`,
          adomain: ['advertiser.test'],
        },
      });
      const unfit = Array.from({ length: 8 }, (_, index) => bid(index, '1', '00:00:30'));
      answer(response, { id: body.id, cur: 'USD', seatbid: [{ bid: [...unfit, bid(9, '2', '00:00:15')] }] });
    };
    const imp = ['1', '2'].map((id) => ({ id, video: VIDEO }));
    const answered = await jsonOf(await edge.post(bannerRequest({ imp })));
    expect(
      answered.seatbid.flatMap(({ bid }: { bid: { impid: string }[] }) => bid.map(({ impid }) => impid)),
    ).to.deep.equal(['2']);
  });
});
