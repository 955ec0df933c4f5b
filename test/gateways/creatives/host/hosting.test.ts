// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { creativeDisk, creativeDiskId } from '#actors/creative-disk/creative-disk';
import { collectFiles } from '#gateways/creatives/collect-files';
import { systemClock } from '#runtime/providers/system/system-clock';
import {
  type CreativeOrigin,
  file,
  inlineVast,
  manyAds,
  redirect,
  startCreativeOrigin,
  status,
  vast,
  wrapperVast,
} from '#test/support/creative-origin';
import { eventually } from '#test/support/eventually';
import { H264_AAC_MP4, JPEG_1200_627, PNG_300_250 } from '#test/support/sample-media';
import { type RunningScanner, type Sighting, startRunningScanner } from '../scan/running-scanner.ts';
import { hostedMarkup, served } from './hosted.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const IMAGE = `\${EXCHANGE_CREATIVES_URL}/creative/${sha256(PNG_300_250)}`;

describe('gateways/creatives/host', () => {
  let scanner: RunningScanner;
  let origin: CreativeOrigin;
  let again: RunningScanner | null = null;

  before(async function () {
    scanner = await startRunningScanner(this);
    origin = await startCreativeOrigin();
  });
  after(async () => {
    await again?.close();
    await scanner?.close();
    await origin?.close();
  });

  const sold = async (markup: string, sighting: Partial<Sighting> = {}) =>
    scanner.scanned(await scanner.see({ markup, declared: 'stable', ...sighting }));
  const video = { formats: ['video' as const] };

  it('replaces the address of an image in HTML, and not one other character', async () => {
    origin.answer('/big.png', file(PNG_300_250, 'image/png'));
    const markup = [
      '<!-- A creative -->\r\n<A HREF=https://brand.example/?a=${AUCTION_ID}&b=1 >',
      `<IMG width=300 SRC='${origin.url('/big.png')}?size=1&amp;v=2'  alt="a > b"/></A>\n`,
      `<img src=${origin.url('/big.png')}?size=1&v=2><img src="${origin.url('/px.png')}" width="1" height="1">`,
      '<script>if (1 < 2) document.title = "${AUCTION_PRICE}";</script>',
    ].join('');
    const { hosting } = await sold(markup);
    const hosted = await hostedMarkup(scanner.creatives, hosting.file);
    expect(hosted).to.include({ format: 'banner', vastVersion: null });
    const expected = markup
      .replace(`${origin.url('/big.png')}?size=1&amp;v=2`, () => IMAGE)
      .replace(`${origin.url('/big.png')}?size=1&v=2`, () => `${origin.url('/big.png')}?size=1&v=2`);
    expect(hosted.markup).to.equal(expected);
    expect(hosting.files).to.deep.equal([sha256(PNG_300_250)]);
    expect(await scanner.creatives.has(sha256(PNG_300_250))).to.equal(true);
  });

  it('leaves images where they are whose servers want to see each view', async () => {
    origin.answer('/counted.png', (request, response) => {
      response.setHeader('cache-control', 'no-store');
      file(PNG_300_250, 'image/png')(request, response);
    });
    origin.answer('/cookie.png', (request, response) => {
      response.setHeader('set-cookie', 'viewer=1');
      file(PNG_300_250, 'image/png')(request, response);
    });
    origin.answer('/redirected', redirect(origin.url('/big.png')));
    const images = ['/counted.png', '/cookie.png', '/redirected', '/big.png?cb=${EXCHANGE_CACHE_BUSTER}'];
    const markup = images.map((path) => `<img src="${origin.url(path)}" alt="An ad">`).join('');
    const { hosting } = await sold(markup);
    expect(hosting).to.include({ status: 'not-hosted', reason: 'It has no image that could be hosted.' });
  });

  it('replaces the images of a native response', async () => {
    const native = {
      ver: '1.2',
      assets: [
        { id: 1, title: { text: 'An ad' } },
        { id: 2, img: { type: 3, url: origin.url('/big.png'), w: 300, h: 250 } },
        { id: 3, img: { type: 1, url: `${origin.url('/icon.png')}?a=\${AUCTION_ID}` } },
      ],
      link: { url: 'https://brand.example/', clicktrackers: ['https://t.example/?p=${AUCTION_PRICE}'] },
      eventtrackers: [{ event: 1, method: 1, url: 'https://t.example/?b=${EXCHANGE_BID_ID}' }],
    };
    const { hosting } = await sold(JSON.stringify(native), { formats: ['native'] });
    const hosted = await hostedMarkup(scanner.creatives, hosting.file);
    expect(hosted.format).to.equal('native');
    native.assets[1]!.img!.url = IMAGE;
    expect(JSON.parse(hosted.markup)).to.deep.equal(native);
  });

  it('hosts nothing before it is known to be stable, and then at once', async () => {
    const sighting = { markup: inlineVast({ mediaUrl: origin.url('/spot.mp4') }), crid: 'seen-thrice', ...video };
    const id = await scanner.see(sighting);
    expect((await scanner.scanned(id)).hosting.status).to.equal('waiting');
    await scanner.see(sighting);
    await scanner.see(sighting);
    await eventually('it is hosted', async () => (await scanner.stateOf(id))!.hosting.status === 'hosted');
    const { hosting } = (await scanner.stateOf(id))!;
    const hosted = await hostedMarkup(scanner.creatives, hosting.file);
    expect(hosted).to.include({ format: 'video', vastVersion: '3.0' });
    expect(served(hosted)).to.include(`https://cdn.exchange.test/creative/${sha256(H264_AAC_MP4)}`);
    const dynamic = await scanner.see({ ...sighting, crid: 'dynamic', declared: 'dynamic' });
    expect((await scanner.scanned(dynamic)).hosting.status).to.equal('not-hosted');
  });

  it('puts macros back where an ad server repeats what it was asked with', async () => {
    origin.answer('/echo', (request, response) => {
      const asked = new URL(request.url!, origin.origin).search;
      vast(inlineVast({ mediaUrl: origin.url('/spot.mp4'), trackers: `https://t.test${asked.replaceAll('&', ';')}` }))(
        request,
        response,
      );
    });
    const query =
      'a=${AUCTION_ID}&b=${EXCHANGE_BID_ID}&p=${AUCTION_PRICE}&i=${AUCTION_IMP_ID}&r=${AUCTION_BID_ID}&s=${AUCTION_SEAT_ID}&ad=${AUCTION_AD_ID}&m=${AUCTION_MBR}&w=${AUCTION_MIN_TO_WIN}';
    const tag = `${origin.url('/echo')}?${query}&c=\${EXCHANGE_CACHE_BUSTER}&d=[CACHEBUSTING]`;
    const { hosting } = await sold(wrapperVast({ tag, trackers: 'https://w.test/${AUCTION_PRICE}' }), video);
    const hosted = await hostedMarkup(scanner.creatives, hosting.file);
    expect(hosted.markup).to.include('https://w.test/${AUCTION_PRICE}/start');
    const cacheBusters = 'c=${EXCHANGE_CACHE_BUSTER};d=${EXCHANGE_CACHE_BUSTER}';
    expect(hosted.markup).to.include(`https://t.test?${query.replaceAll('&', ';')};${cacheBusters}/impression`);
  });

  it('does not host a wrapper by which a server learns of each price', async () => {
    origin.answer(
      '/told-the-price',
      vast(inlineVast({ mediaUrl: origin.url('/spot.mp4'), trackers: 'https://t.test' })),
    );
    const tag = `${origin.url('/told-the-price')}?p=\${AUCTION_PRICE}`;
    const { hosting } = await sold(wrapperVast({ tag, trackers: 'https://w.test' }), video);
    expect(hosting.status).to.equal('not-hosted');
    expect(hosting.reason).to.include('learns of the price of each auction by being asked');
  });

  it('does not host what differs from request to request', async () => {
    let asked = 0;
    origin.answer('/session', (request, response) => {
      asked += 1;
      const trackers = `https://t.test/session-${asked}`;
      vast(inlineVast({ mediaUrl: origin.url('/spot.mp4'), trackers }))(request, response);
    });
    const { hosting } = await sold(wrapperVast({ tag: origin.url('/session'), trackers: 'https://w.test' }), video);
    expect(hosting.status).to.equal('not-hosted');
    expect(hosting.reason).to.include('differs from request to request');
    const perAuction = await sold(inlineVast({ mediaUrl: `${origin.url('/spot.mp4')}?a=\${AUCTION_ID}` }), video);
    expect(perAuction.hosting.reason).to.include('differs from auction to auction');
  });

  it('does not host for all viewers what a server answers to one', async () => {
    origin.answer('/viewer', (request, response) => {
      const trackers = `https://t.test/${encodeURIComponent(new URL(request.url!, origin.origin).search)}`;
      vast(inlineVast({ mediaUrl: origin.url('/spot.mp4'), trackers }))(request, response);
    });
    for (const macro of ['[GDPRCONSENT]', '[IFA]', '%5BREGULATIONS%5D']) {
      const { hosting } = await sold(
        wrapperVast({ tag: `${origin.url('/viewer')}?of=${macro}`, trackers: 'https://w.test' }),
        video,
      );
      expect(hosting, macro).to.include({ status: 'not-hosted' });
      expect(hosting.reason, macro).to.include('differs from request to request');
    }
    origin.answer('/any-viewer', vast(inlineVast({ mediaUrl: origin.url('/spot.mp4'), trackers: 'https://t.test' })));
    const { hosting } = await sold(
      wrapperVast({ tag: `${origin.url('/any-viewer')}?of=[IFA]`, trackers: 'https://w.test' }),
      video,
    );
    expect(hosting.status).to.equal('hosted');
  });

  it('hosts no document with several ads, nor a wrapper that allows several', async () => {
    const ad = inlineVast({ mediaUrl: origin.url('/spot.mp4') });
    const pod = manyAds(ad.replace('<Ad ', '<Ad sequence="1" '), ad.replace('<Ad ', '<Ad sequence="2" '));
    const several = await sold(pod, video);
    expect(several.hosting).to.include({ status: 'not-hosted' });
    expect(several.hosting.reason).to.equal('It leads to 2 ads, and one alone is hosted.');
    origin.answer('/pod', vast(pod));
    const wrapper = wrapperVast({ tag: origin.url('/pod'), trackers: 'https://w.test' });
    const allowing = await sold(wrapper.replace('<Wrapper>', '<Wrapper allowMultipleAds="true">'), video);
    expect(allowing.hosting.reason).to.equal('It leads to 2 ads, and one alone is hosted.');
    expect((await sold(wrapper, video)).hosting.status, 'one is allowed').to.equal('hosted');
    const unreadable = await sold(manyAds(ad, '<VAST><Ad id="empty"></Ad></VAST>'), video);
    expect(unreadable.hosting.reason).to.include('leads to a document with an ad that cannot be served');
  });

  it('says why nothing could be hosted', async () => {
    const text = await sold('<b>An ad of text</b>');
    expect(text.hosting.reason).to.equal('It has no image that could be hosted.');
    const missing = await sold(inlineVast({ mediaUrl: origin.url('/missing') }), video);
    expect(missing.hosting.reason).to.include('was answered 404');
    const campaign = await sold(inlineVast({ mediaUrl: origin.url('/spot.mp4') }), { ...video, campaignId: 'c' });
    expect(campaign.hosting.reason).to.equal('Its campaign has its media hosted.');
  });

  it('hosts anew what has changed at its origin, and keeps what it has while that fails', async function () {
    again = await startRunningScanner(this, { rescanMs: 300 });
    const one = again;
    origin.answer('/changing.png', file(PNG_300_250, 'image/png'));
    const markup = `<img src="${origin.url('/changing.png')}" alt="An ad">`;
    const id = await one.see({ markup, declared: 'stable' });
    const first = (await one.scanned(id)).hosting;
    expect(first.files).to.deep.equal([sha256(PNG_300_250)]);
    origin.answer('/changing.png', file(JPEG_1200_627, 'image/jpeg'));
    await eventually('the new file is hosted', async () => {
      const { hosting } = (await one.stateOf(id))!;
      return hosting.files[0] === sha256(JPEG_1200_627) && hosting.file !== first.file;
    });
    const media = await one.see({
      markup: inlineVast({ mediaUrl: origin.url('/failing.mp4') }),
      declared: 'stable',
      ...video,
    });
    const { file: kept } = (await one.scanned(media)).hosting;
    origin.answer('/failing.mp4', status(503));
    await eventually('the failure is seen', async () => {
      const { scan } = (await one.stateOf(media))!;
      return scan.findings.some(({ code }) => code === 'unreachable');
    });
    expect((await one.stateOf(media))!.hosting).to.include({ status: 'hosted', file: kept });
  });

  it('keeps the files of creatives from collection until nothing refers to them', async () => {
    const markup = `<p>Collected</p><img src="${origin.url('/collected.png')}" alt="An ad">`;
    const collected = Buffer.concat([PNG_300_250, Buffer.from('collected')]);
    origin.answer('/collected.png', file(collected, 'image/png'));
    const id = await scanner.see({ markup, declared: 'stable' });
    const { hosting, lastSeenAt } = await scanner.scanned(id);
    const files = [hosting.file!, ...hosting.files];
    const { node, store, creatives: storage } = scanner;
    const unreferenced = async () => {
      const deps = { messenger: node.messenger, store, storage, clock: systemClock, afterMs: 3_600_000 };
      await collectFiles(deps, new AbortController().signal);
      const [document] = await store.load([{ kind: creativeDisk.kind, id: creativeDiskId }]);
      return Object.keys((document!.state as { unreferenced: object }).unreferenced);
    };
    expect(await unreferenced()).to.not.include.members(files);
    await node.messenger.ask(creative, id, 'forget', { unseenSince: lastSeenAt });
    expect(await unreferenced()).to.include.members(files);
  });
});
