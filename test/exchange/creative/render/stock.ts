import type { AssetLookup, CreativeAsset } from '#exchange/creative/render/assets';
import type { RenderContext } from '#exchange/creative/render/render-context';
import type { Imp } from '#exchange/openrtb/fields/imp';
import { readVast } from '#exchange/vast/read-vast';

export const TRACKING_URL = 'https://edge.test/track/impression?id=1&pub=2&price=2500000';
export const EDGE_URL = 'https://edge.test';
export const HASH = 'a'.repeat(64);

export const NATIVE_REQUEST = {
  ver: '1.2',
  assets: [
    { id: 1, required: 1, title: { len: 90 } },
    { id: 2, required: 1, img: { type: 3, wmin: 1200, hmin: 627 } },
    { id: 3, img: { type: 1 } },
    { id: 4, data: { type: 1, len: 25 } },
    { id: 5, data: { type: 2, len: 20 } },
    { id: 6, data: { type: 3 } },
    { id: 7, data: { type: 5 } },
    { id: 8, data: { type: 6 } },
    { id: 9, data: { type: 12 } },
  ],
  eventtrackers: [{ event: 1, methods: [1] }],
};

const VAST = `<VAST version="3.0"><Ad id="ad-1" sequence="3"><InLine><AdSystem>buyer</AdSystem><AdTitle>A &amp; B</AdTitle>
  <Error>https://buyer.example/error?code=[ERRORCODE]</Error><Impression>https://buyer.example/i?cb=[CACHEBUSTING]</Impression>
  <Creatives><Creative><Linear><Duration>00:00:15</Duration>
    <TrackingEvents><Tracking event="start">https://buyer.example/start</Tracking></TrackingEvents>
    <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">/creative/${HASH}</MediaFile>
    <MediaFile delivery="progressive" type="video/mp4" width="1280" height="720">/creative/${'b'.repeat(64)}</MediaFile></MediaFiles>
  </Linear></Creative><Creative><CompanionAds><Companion width="300" height="250">
    <StaticResource creativeType="image/png">/creative/${'c'.repeat(64)}</StaticResource></Companion></CompanionAds></Creative></Creatives>
</InLine></Ad></VAST>`;

export function vastAsset(xml: string = VAST): CreativeAsset {
  const read = readVast(xml);
  const ad = read.ok ? read.ads[0] : undefined;
  if (ad?.kind !== 'inline') throw new Error('not an inline ad');
  return { content: { kind: 'vast', ad } };
}

export function imageAsset(width = 300, height = 250): CreativeAsset {
  const media = { path: `/creative/${HASH}`, mimeType: 'image/png', bytes: 1000, width, height };
  return { content: { kind: 'image', media } };
}

export function audioAsset(): CreativeAsset {
  const media = {
    path: `/creative/${HASH}`,
    mimeType: 'audio/mpeg',
    bytes: 480_000,
    durationMs: 30_040,
    bitrateKbps: 128,
  };
  return { content: { kind: 'audio', media } };
}

export function assetsOf(byUrl: Readonly<Record<string, CreativeAsset>>): AssetLookup {
  return new Map(Object.entries(byUrl));
}

export function termsOf(imp: Omit<Imp, 'id'>, more: Partial<RenderContext> = {}): RenderContext {
  const format = (['banner', 'video', 'audio', 'native'] as const).find((name) => imp[name] !== undefined) ?? 'banner';
  return {
    format,
    imp: { id: '1', ...imp },
    device: undefined,
    trackingUrl: TRACKING_URL,
    viewUrl: undefined,
    servingId: 'serving-1',
    edgeUrl: EDGE_URL,
    ...more,
  };
}
