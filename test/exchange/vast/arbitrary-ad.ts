import fc from 'fast-check';
import type { VastAd } from '#exchange/vast/ad';

/** Models as `readVast` makes them: texts trimmed, what is absent absent. */
const word = fc
  .string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '&', '<', '>', '"', "'", ']', 'é', '漢', '😀'), maxLength: 12 })
  .map((text) => `x${text}`.trim());
const markup = fc
  .array(fc.constantFrom('<b>', '</b>', ']]>', '<![CDATA[', '&amp;', 'text', '<img src="a">'), { maxLength: 5 })
  .map((parts) => `<p>${parts.join('')}`);

/** Every URL is another one, so that each can be found again. */
let count = 0;
const url = fc
  .tuple(fc.constantFrom('https', 'http'), fc.constantFrom('', '&c=[CACHEBUSTING]', '&d=%20x', '#f', '&e=a,b;c'))
  .map(([scheme, rest]) => {
    count += 1;
    return `${scheme}://t.example/${count}?a=1&b=${count}${rest}`;
  });
const urls = fc.array(url, { maxLength: 3 });
const tracked = fc.record({ id: word, url }, { requiredKeys: ['url'] });
const trackedUrls = fc.array(tracked, { maxLength: 3 });

const ms = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((s) => s * 1000),
  fc.integer({ min: 0, max: 86_399_999 }),
);
const offset = fc.constantFrom('00:00:05', '01:02:03.004', '25%', '12.5%', '100%');
const pixels = fc.nat(4000);

/** Names that 4.2 knows. */
const EVENTS = [
  'creativeView',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'resume',
  'rewind',
  'skip',
  'progress',
  'closeLinear',
  'close',
  'acceptInvitation',
  'playerExpand',
  'playerCollapse',
  'adExpand',
  'adCollapse',
  'minimize',
  'loaded',
  'interactiveStart',
  'overlayViewDuration',
  'otherAdInteraction',
];
const trackingEvents = fc.array(
  fc.record({ event: fc.constantFrom(...EVENTS), offset, url }, { requiredKeys: ['event', 'url'] }),
  { maxLength: 4 },
);

const extensions = fc.array(
  fc.record(
    {
      type: word,
      xml: fc.constantFrom(
        '<a b="1"/>',
        '<total_available>2</total_available>',
        '<x:y xmlns:x="urn:x" x:z="&quot;"><w>&lt;</w></x:y>',
        '<Impression>https://not.one/</Impression>',
      ),
    },
    { requiredKeys: ['xml'] },
  ),
  { maxLength: 2 },
);

const resources = fc.record({
  static: fc.array(fc.record({ creativeType: fc.constantFrom('image/png', 'image/jpeg'), url }), {
    minLength: 1,
    maxLength: 2,
  }),
  iframe: fc.array(url, { maxLength: 1 }),
  html: fc.array(markup, { maxLength: 1 }),
});
const adParameters = fc.record({ xmlEncoded: fc.boolean(), text: markup }, { requiredKeys: ['text'] });

const icon = fc.record(
  {
    program: word,
    width: pixels,
    height: pixels,
    xPosition: fc.constantFrom('left', 'right', '12'),
    yPosition: fc.constantFrom('top', 'bottom', '0'),
    offsetMs: ms,
    durationMs: ms,
    apiFramework: word,
    pxratio: fc.constantFrom(1, 2, 1.5, 1e-9),
    resources,
    clickThrough: url,
    clickTracking: trackedUrls,
    fallbackImages: fc.array(
      fc.record({ width: pixels, height: pixels, altText: word, url }, { requiredKeys: ['url'] }),
      { maxLength: 2 },
    ),
    viewTracking: urls,
  },
  {
    requiredKeys: [
      'width',
      'height',
      'xPosition',
      'yPosition',
      'resources',
      'clickTracking',
      'fallbackImages',
      'viewTracking',
    ],
  },
);

const delivery = fc.constantFrom('progressive' as const, 'streaming' as const);
const file = {
  url,
  id: word,
  delivery,
  type: fc.constantFrom('video/mp4', 'video/webm'),
  codec: word,
  mediaType: word,
};

const linear = fc.record(
  {
    durationMs: ms,
    skipoffset: offset,
    adParameters,
    mediaFiles: fc.array(
      fc.record(
        {
          ...file,
          width: pixels,
          height: pixels,
          bitrate: pixels,
          minBitrate: pixels,
          maxBitrate: pixels,
          scalable: fc.boolean(),
          maintainAspectRatio: fc.boolean(),
          fileSize: fc.nat(),
          apiFramework: fc.constant('SIMID'),
        },
        { requiredKeys: ['url', 'delivery', 'type', 'width', 'height'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    mezzanines: fc.array(
      fc.record(
        { ...file, width: pixels, height: pixels, fileSize: fc.nat() },
        { requiredKeys: ['url', 'delivery', 'type', 'width', 'height'] },
      ),
      { maxLength: 2 },
    ),
    interactiveFiles: fc.array(
      fc.record(
        { url, type: word, apiFramework: fc.constant('SIMID'), variableDuration: fc.boolean() },
        { requiredKeys: ['url'] },
      ),
      { maxLength: 2 },
    ),
    closedCaptionFiles: fc.array(fc.record({ url, type: word, language: word }, { requiredKeys: ['url'] }), {
      maxLength: 2,
    }),
    trackingEvents,
    videoClicks: fc.record(
      { clickThrough: tracked, clickTracking: trackedUrls, customClicks: trackedUrls },
      { requiredKeys: ['clickTracking', 'customClicks'] },
    ),
    icons: fc.array(icon, { maxLength: 2 }),
  },
  {
    requiredKeys: [
      'durationMs',
      'mediaFiles',
      'mezzanines',
      'interactiveFiles',
      'closedCaptionFiles',
      'trackingEvents',
      'videoClicks',
      'icons',
    ],
  },
);

const nonLinearAds = fc.record({
  nonLinears: fc.array(
    fc.record(
      {
        id: word,
        width: pixels,
        height: pixels,
        expandedWidth: pixels,
        expandedHeight: pixels,
        scalable: fc.boolean(),
        maintainAspectRatio: fc.boolean(),
        minSuggestedDurationMs: ms,
        apiFramework: word,
        resources,
        adParameters,
        clickThrough: url,
        clickTracking: trackedUrls,
      },
      { requiredKeys: ['width', 'height', 'resources', 'clickTracking'] },
    ),
    { minLength: 1, maxLength: 2 },
  ),
  trackingEvents,
});

const companionAds = fc.record(
  {
    required: fc.constantFrom('all' as const, 'any' as const, 'none' as const),
    companions: fc.array(
      fc.record(
        {
          id: word,
          width: pixels,
          height: pixels,
          assetWidth: pixels,
          assetHeight: pixels,
          expandedWidth: pixels,
          expandedHeight: pixels,
          apiFramework: word,
          adSlotId: word,
          pxratio: fc.constantFrom(1, 2),
          renderingMode: fc.constantFrom('default' as const, 'end-card' as const, 'concurrent' as const),
          resources,
          adParameters,
          altText: word,
          clickThrough: url,
          clickTracking: fc.array(fc.record({ id: word, url }), { maxLength: 2 }),
          extensions,
          trackingEvents,
        },
        { requiredKeys: ['width', 'height', 'resources', 'clickTracking', 'extensions', 'trackingEvents'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: ['companions'] },
);

const creative = fc.record(
  {
    id: word,
    adId: word,
    sequence: fc.nat(9),
    apiFramework: word,
    universalAdIds: fc.array(fc.record({ registry: word, value: word }), { minLength: 1, maxLength: 2 }),
    linear,
    nonLinearAds,
    companionAds,
    extensions,
  },
  { requiredKeys: ['universalAdIds', 'linear', 'extensions'] },
);

const verification = fc.record(
  {
    vendor: word,
    scripts: fc.array(
      fc.record(
        { apiFramework: fc.constantFrom('omid', 'other'), browserOptional: fc.boolean(), url },
        { requiredKeys: ['url'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
    executables: fc.array(fc.record({ apiFramework: word, type: word, url }, { requiredKeys: ['url'] }), {
      maxLength: 1,
    }),
    trackingEvents: fc.array(fc.record({ event: fc.constant('verificationNotExecuted'), url }), { maxLength: 1 }),
    parameters: markup,
  },
  { requiredKeys: ['scripts', 'executables', 'trackingEvents'] },
);

export const arbitraryAd: fc.Arbitrary<VastAd> = fc.record(
  {
    kind: fc.constant('inline' as const),
    id: word,
    sequence: fc.integer({ min: 1, max: 9 }),
    adType: fc.constantFrom('video' as const, 'audio' as const, 'hybrid' as const),
    adSystem: fc.record({ name: word, version: word }, { requiredKeys: ['name'] }),
    adTitle: word,
    adServingId: word,
    advertiser: word,
    description: word,
    pricing: fc.record({
      model: fc.constantFrom('cpm', 'cpc', 'cpe', 'cpv'),
      currency: fc.constantFrom('USD', 'eur'),
      value: fc.constantFrom('25.00', '1', '0.5'),
    }),
    survey: fc.record({ type: word, url }, { requiredKeys: ['url'] }),
    categories: fc.array(fc.record({ authority: url, code: word }), { maxLength: 2 }),
    expires: fc.nat(),
    errors: urls,
    impressions: fc.array(tracked, { minLength: 1, maxLength: 3 }),
    viewableImpressions: fc.array(
      fc.record(
        {
          id: word,
          viewable: fc.array(url, { minLength: 1, maxLength: 2 }),
          notViewable: urls,
          viewUndetermined: urls,
        },
        { requiredKeys: ['viewable', 'notViewable', 'viewUndetermined'] },
      ),
      { maxLength: 1 },
    ),
    verifications: fc.array(verification, { maxLength: 2 }),
    extensions,
    creatives: fc.array(creative, { minLength: 1, maxLength: 2 }),
  },
  {
    requiredKeys: [
      'kind',
      'adSystem',
      'adTitle',
      'adServingId',
      'categories',
      'errors',
      'impressions',
      'viewableImpressions',
      'verifications',
      'extensions',
      'creatives',
    ],
  },
);
