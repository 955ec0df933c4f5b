import { expect } from 'chai';
import { renderCreative } from '#exchange/creative/render/render-creative';
import { protocolOffered } from '#exchange/creative/render/render-vast';
import type { Creative } from '#exchange/strategy/document/creative';
import type { VastAd } from '#exchange/vast/ad';
import { readVast } from '#exchange/vast/read-vast';
import { describeWithSchemas, schemaFaults } from '#test/support/vast-schemas';
import { assetsOf, audioAsset, EDGE_URL, HASH, imageAsset, TRACKING_URL, termsOf, vastAsset } from './stock.ts';

const VIDEO: Creative = {
  creative_id: 'v',
  vast_url: 'https://buyer.example/vast',
  impression_trackers: ['https://t.example/i?a=1&b=]]>'],
  click_trackers: ['https://t.example/c'],
  landing_url: 'https://landing.example/?a=1&b=2',
};
const AUDIO: Creative = {
  creative_id: 'a & b',
  audio_url: 'https://buyer.example/a.mp3',
  image_url: 'https://buyer.example/b.png',
  click_trackers: ['https://t.example/c'],
  landing_url: 'https://landing.example/',
};
const ASSETS = assetsOf({
  'https://buyer.example/vast': vastAsset(),
  'https://buyer.example/a.mp3': audioAsset(),
  'https://buyer.example/b.png': imageAsset(),
});

const video = (protocols?: number[]) => termsOf({ video: { mimes: ['video/mp4'], ...(protocols && { protocols }) } });
const audio = (protocols?: number[]) => termsOf({ audio: { mimes: ['audio/mpeg'], ...(protocols && { protocols }) } });

function rendered(creative: Creative, terms = video()): string {
  const markup = renderCreative(creative, ASSETS, terms);
  if (!markup.ok) throw new Error(markup.refused);
  return markup.adm;
}

function readBack(adm: string): { version: string; ad: VastAd } {
  const read = readVast(adm);
  if (!read.ok) throw new Error(read.message);
  return { version: read.version, ad: read.ads[0] as VastAd };
}

describe("a delegate's video ad", () => {
  it('has our tracker first, then those of the campaign, then its own', () => {
    const { ad } = readBack(rendered(VIDEO));
    expect(ad.impressions.map(({ url }) => url)).to.deep.equal([
      TRACKING_URL,
      'https://t.example/i?a=1&b=%5D%5D>',
      'https://buyer.example/i?cb=[CACHEBUSTING]',
    ]);
    expect(ad.errors).to.deep.equal(['https://buyer.example/error?code=[ERRORCODE]']);
    expect(ad.adServingId).to.equal('serving-1');
    expect(ad.sequence, 'a place in the pod that it came from').to.equal(undefined);
  });

  it('leads where the campaign says, and tells its click trackers, wherever it can be clicked', () => {
    const [played, beside] = readBack(rendered(VIDEO)).ad.creatives;
    expect(played?.linear?.videoClicks).to.deep.equal({
      clickThrough: { url: VIDEO.landing_url },
      clickTracking: [{ url: 'https://t.example/c' }],
      customClicks: [],
    });
    const companion = beside?.companionAds?.companions[0];
    expect(companion?.clickThrough).to.equal(VIDEO.landing_url);
    expect(companion?.clickTracking.map(({ url }) => url)).to.deep.equal(['https://t.example/c']);
  });

  it('keeps its own click-throughs, and leads nowhere from a companion that shows nothing', () => {
    const own = 'https://buyer.example/landing';
    const companion = (inside: string) =>
      `<Companion width="300" height="250">${inside}<CompanionClickTracking>https://buyer.example/c</CompanionClickTracking></Companion>`;
    const assets = assetsOf({
      [VIDEO.vast_url!]: vastAsset(
        `<VAST version="4.2"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Creatives>
          <Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://buyer.example/m.mp4</MediaFile></MediaFiles>
            <VideoClicks><ClickThrough>${own}</ClickThrough></VideoClicks></Linear></Creative>
          <Creative><CompanionAds>
            ${companion(`<HTMLResource>ad</HTMLResource><CompanionClickThrough>${own}</CompanionClickThrough>`)}
            ${companion('<HTMLResource>ad</HTMLResource>')}
            ${companion('')}
          </CompanionAds></Creative>
        </Creatives></InLine></Ad></VAST>`,
      ),
    });
    const markup = renderCreative(VIDEO, assets, video());
    if (!markup.ok) throw new Error(markup.refused);
    const [played, beside] = readBack(markup.adm).ad.creatives;
    expect(played?.linear?.videoClicks.clickThrough?.url).to.equal(own);
    const companions = beside?.companionAds?.companions ?? [];
    expect(companions.map(({ clickThrough }) => clickThrough)).to.deep.equal([own, VIDEO.landing_url, undefined]);
    for (const { clickTracking } of companions) {
      expect(clickTracking.map(({ url }) => url)).to.deep.equal(['https://t.example/c', 'https://buyer.example/c']);
    }
  });

  it('has its media from the edge', () => {
    const [played, beside] = readBack(rendered(VIDEO)).ad.creatives;
    expect(played?.linear?.mediaFiles[0]?.url).to.equal(`${EDGE_URL}/creative/${HASH}`);
    expect(beside?.companionAds?.companions[0]?.resources.static[0]?.url).to.match(
      /^https:\/\/edge\.test\/creative\/c/,
    );
  });

  it('is in the newest version that the imp allows', () => {
    const version = (protocols?: number[]) => readBack(rendered(VIDEO, video(protocols))).version;
    expect(version()).to.equal('4.2');
    expect(version([2, 5])).to.equal('2.0');
    expect(version([3, 2, 6])).to.equal('3.0');
    expect(version([2, 3, 7, 8])).to.equal('4.0');
    expect(version([11, 2])).to.equal('4.1');
    expect(version([2, 3, 5, 6, 7, 8, 13, 14])).to.equal('4.2');
    for (const protocols of [[1], [5, 6], [9, 10]]) {
      expect(renderCreative(VIDEO, ASSETS, video(protocols))).to.deep.equal({
        ok: false,
        refused: 'version-not-allowed',
      });
    }
    expect(protocolOffered(video([2, 3, 8]).imp, 'video')).to.equal(3);
    expect(protocolOffered(video().imp, 'video')).to.equal(13);
    expect(protocolOffered(video().imp, 'banner')).to.equal(undefined);
  });

  it('is each serving its own, and follows its asset', () => {
    const first = rendered(VIDEO);
    const again = renderCreative(VIDEO, ASSETS, {
      ...video(),
      trackingUrl: 'https://edge.test/other',
      servingId: 's-2',
    });
    expect(again.ok && again.adm).to.equal(
      first.replace(TRACKING_URL, 'https://edge.test/other').replace('serving-1', 's-2'),
    );
    const changed = assetsOf({
      [VIDEO.vast_url!]: vastAsset(
        '<VAST version="2.0"><Ad><InLine><AdTitle>new</AdTitle><Creatives><Creative><Linear><Duration>1</Duration><MediaFiles><MediaFile>m</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>',
      ),
    });
    const anew = renderCreative(VIDEO, changed, video());
    expect(anew.ok && readBack(anew.adm).ad.adTitle).to.equal('new');
  });

  it('is refused while its asset is not here, or is something else', () => {
    const refusal = { ok: false, refused: 'asset-missing' };
    expect(renderCreative(VIDEO, assetsOf({}), video())).to.deep.equal(refusal);
    expect(renderCreative(VIDEO, assetsOf({ [VIDEO.vast_url!]: imageAsset() }), video())).to.deep.equal(refusal);
  });
});

describe("a delegate's audio ad", () => {
  it('is VAST for audio, with the file from the edge and the banner beside it', () => {
    const { ad } = readBack(rendered(AUDIO, audio()));
    expect(ad.adType).to.equal('audio');
    expect(ad.impressions).to.deep.equal([{ url: TRACKING_URL }]);
    const [spoken, beside] = ad.creatives;
    expect(spoken?.linear?.durationMs).to.equal(30_040);
    expect(spoken?.linear?.mediaFiles).to.deep.equal([
      {
        url: `${EDGE_URL}/creative/${HASH}`,
        delivery: 'progressive',
        type: 'audio/mpeg',
        width: 0,
        height: 0,
        bitrate: 128,
        fileSize: 480_000,
      },
    ]);
    const companion = beside?.companionAds?.companions[0];
    expect(companion).to.deep.include({ width: 300, height: 250, clickThrough: 'https://landing.example/' });
    expect(companion?.resources.static).to.deep.equal([
      { creativeType: 'image/png', url: `${EDGE_URL}/creative/${HASH}` },
    ]);
  });

  it('is spoken alone where the campaign has no banner', () => {
    const { image_url: _, ...alone } = AUDIO;
    expect(readBack(rendered(alone, audio())).ad.creatives).to.have.length(1);
  });
});

describeWithSchemas("delegates' VAST by the IAB schemas", () => {
  for (const [version, protocol] of [
    ['2.0', 2],
    ['3.0', 3],
    ['4.0', 7],
    ['4.1', 11],
    ['4.2', 13],
  ] as const) {
    it(`is valid ${version}`, async () => {
      const documents = [rendered(VIDEO, video([protocol])), rendered(AUDIO, audio([protocol]))];
      expect(await schemaFaults(version, documents)).to.deep.equal([]);
    });
  }
});
