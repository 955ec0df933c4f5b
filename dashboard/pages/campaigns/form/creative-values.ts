import type { Creative } from '../campaign.ts';
import { number, text, type Written } from './written.ts';

export const MADE_OF = [
  { value: 'image_url', label: 'An image', hint: 'A banner: GIF, JPEG or PNG' },
  { value: 'vast_url', label: 'A VAST document', hint: 'Video or audio, VAST 2.0 to 4.2' },
  { value: 'html', label: 'HTML markup', hint: 'An HTML5 or MRAID ad' },
  { value: 'audio_url', label: 'An audio file', hint: 'MP3, AAC, OGG or M4A' },
  { value: 'native', label: 'A native ad', hint: 'Title, text and image, in the look of the page' },
] as const;
export type MadeOf = (typeof MADE_OF)[number]['value'];

/** What the form of one creative holds, named as the API's fields; `made_of` says which of them count. */
export interface CreativeValues {
  readonly creative_id: string;
  readonly made_of: MadeOf;
  readonly format: string;
  readonly image_url: string;
  readonly vast_url: string;
  readonly html: string;
  readonly audio_url: string;
  readonly native: {
    readonly title: string;
    readonly body: string;
    readonly cta: string;
    readonly sponsored: string;
    readonly image_url: string;
    readonly icon_url: string;
  };
  /** What a native ad has beside, which the form shows nothing of and keeps. */
  readonly native_more: Readonly<Record<string, unknown>>;
  readonly width: Written;
  readonly height: Written;
  readonly landing_url: string;
  readonly impression_trackers: readonly string[];
  readonly click_trackers: readonly string[];
  readonly weight: Written;
}

const NO_NATIVE = { title: '', body: '', cta: '', sponsored: '', image_url: '', icon_url: '' };

export const NEW_CREATIVE: CreativeValues = {
  creative_id: '',
  made_of: 'image_url',
  format: '',
  image_url: '',
  vast_url: '',
  html: '',
  audio_url: '',
  native: NO_NATIVE,
  native_more: {},
  width: '',
  height: '',
  landing_url: '',
  impression_trackers: [],
  click_trackers: [],
  weight: '',
};

export function creativeValues(creative: Creative): CreativeValues {
  const { native, image_url = '', vast_url = '', html = '', audio_url = '', ...rest } = creative;
  const { title, body, cta, sponsored, image_url: image, icon_url: icon, ...more } = native ?? { title: '' };
  const made = MADE_OF.find(({ value }) => value !== 'image_url' && creative[value] !== undefined);
  return {
    ...NEW_CREATIVE,
    ...rest,
    ...{ image_url, vast_url, html, audio_url },
    made_of: made?.value ?? 'image_url',
    native: {
      ...NO_NATIVE,
      ...{ title, body: body ?? '', cta: cta ?? '', sponsored: sponsored ?? '' },
      ...{ image_url: image ?? '', icon_url: icon ?? '' },
    },
    native_more: more,
  };
}

/** As the API takes it: what is of another kind of creative is not said. */
export function creativeBody(values: CreativeValues): object {
  const { made_of: made, native } = values;
  const fields: Record<string, unknown> = {
    creative_id: values.creative_id,
    format: text(values.format),
    [made]: made === 'native' ? nativeBody(native, values.native_more) : text(values[made]),
    // An image beside a sound is its companion banner.
    ...(made === 'audio_url' && { image_url: text(values.image_url) }),
    width: number(values.width),
    height: number(values.height),
    landing_url: text(values.landing_url),
    impression_trackers: values.impression_trackers.length > 0 ? values.impression_trackers : undefined,
    click_trackers: values.click_trackers.length > 0 ? values.click_trackers : undefined,
    weight: number(values.weight),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function nativeBody(native: CreativeValues['native'], more: object): object {
  const said = Object.entries(native).filter(([name, value]) => name === 'title' || value !== '');
  return { ...more, ...Object.fromEntries(said) };
}
