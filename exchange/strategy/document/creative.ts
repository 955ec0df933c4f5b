import Type, { type Static } from 'typebox';
import { Label, Url } from './fields.ts';

export const CREATIVE_FORMATS = ['video', 'banner', 'html5', 'audio', 'native', 'mraid'] as const;
export type CreativeFormat = (typeof CREATIVE_FORMATS)[number];

const Trackers = (description: string) => Type.Array(Url('An http or https URL.'), { maxItems: 50, description });

const NativeAd = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 500 }),
    body: Type.Optional(Type.String({ maxLength: 2000 })),
    cta: Type.Optional(Type.String({ maxLength: 200, description: 'Call to action.' })),
    sponsored: Type.Optional(Type.String({ maxLength: 200, description: 'The label that names the advertiser.' })),
    image_url: Type.Optional(Url('The main image.')),
    icon_url: Type.Optional(Url('The icon.')),
    rating: Type.Optional(Type.Number({ minimum: 0 })),
    price: Type.Optional(Type.Union([Type.String({ maxLength: 50 }), Type.Number({ minimum: 0 })])),
    downloads: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.String({ maxLength: 50 })])),
  },
  { additionalProperties: false, description: 'A native ad by its parts (OpenRTB Native 1.2).' },
);

/**
 * What a campaign shows. Exactly one of `vast_url`, `image_url`, `html`, `audio_url` and `native` is its source; an
 * `image_url` beside `audio_url` is its companion banner.
 */
export const Creative = Type.Object(
  {
    creative_id: Label('Unique in its campaign; the `crid` of the bid response.'),
    format: Type.Optional(
      Type.Enum([...CREATIVE_FORMATS], {
        description: 'When absent: video for `vast_url`, banner for `image_url`, html5 for `html`, audio, native.',
      }),
    ),
    vast_url: Type.Optional(Url('A VAST document, 2.0 to 4.2.')),
    image_url: Type.Optional(Url('A GIF, JPEG or PNG: a banner, or what is shown beside `audio_url`.')),
    html: Type.Optional(
      // A stored text may be longer than the bound for new ones.
      Type.String({
        minLength: 1,
        maxLength: 3_000_000,
        description: 'Markup of an HTML5 or MRAID ad: at most 256 KiB, as UTF-8.',
      }),
    ),
    audio_url: Type.Optional(Url('An audio file.')),
    native: Type.Optional(NativeAd),
    width: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Pixels.' })),
    height: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Pixels.' })),
    landing_url: Type.Optional(Url('Where a click leads.')),
    impression_trackers: Type.Optional(Trackers('Called when the ad is shown.')),
    click_trackers: Type.Optional(Trackers('Called when the ad is clicked.')),
    weight: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000,
        description:
          'Relative to the others of its campaign; only used with `creatives` and rotation `weighted`. A missing one counts as the mean of those given.',
      }),
    ),
  },
  { additionalProperties: false, title: 'Creative', description: 'A creative.' },
);
export type Creative = Static<typeof Creative>;

/** The fields that can be a creative's source, in the order in which they decide an inferred format. */
export const CREATIVE_SOURCES = ['vast_url', 'audio_url', 'native', 'html', 'image_url'] as const;
export type CreativeSource = (typeof CREATIVE_SOURCES)[number];

const inferred: Readonly<Record<CreativeSource, CreativeFormat>> = {
  vast_url: 'video',
  audio_url: 'audio',
  native: 'native',
  html: 'html5',
  image_url: 'banner',
};

/** The sources that a format may have. */
export const sourcesOf: Readonly<Record<CreativeFormat, readonly CreativeSource[]>> = {
  video: ['vast_url'],
  audio: ['audio_url', 'vast_url'],
  native: ['native'],
  banner: ['image_url', 'html'],
  html5: ['html'],
  mraid: ['html'],
};

export function formatOfCreative(creative: Creative): CreativeFormat {
  if (creative.format !== undefined) return creative.format;
  const source = CREATIVE_SOURCES.find((name) => creative[name] !== undefined);
  return source === undefined ? 'banner' : inferred[source];
}
