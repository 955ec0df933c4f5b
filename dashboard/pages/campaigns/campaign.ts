import type { components } from '../../api/generated.d.ts';

export type Campaign = components['schemas']['Campaign'];
export type Creative = components['schemas']['Creative'];

export function creativesOf({ creative, creatives }: Pick<Campaign, 'creative' | 'creatives'>): readonly Creative[] {
  return creatives ?? (creative === undefined ? [] : [creative]);
}

export const FORMATS = {
  video: 'Video',
  banner: 'Banner',
  html5: 'HTML5',
  audio: 'Audio',
  native: 'Native',
  mraid: 'MRAID',
} as const;
export type Format = keyof typeof FORMATS;

/** As the exchange takes a creative that says no format: by what it is made of. */
export function formatOf({ format, vast_url, audio_url, native, html }: Creative): Format {
  if (format !== undefined) return format;
  if (vast_url !== undefined) return 'video';
  if (audio_url !== undefined) return 'audio';
  if (native !== undefined) return 'native';
  return html === undefined ? 'banner' : 'html5';
}

/** Of each creative the share of the campaign's bids that it gets, 0..1, where all of them fit. */
export function rotationShares({ rotation_strategy: rotation, ...campaign }: Campaign): readonly number[] {
  const creatives = creativesOf(campaign);
  if (rotation !== 'weighted') return creatives.map(() => 1 / creatives.length);
  const said = creatives.flatMap(({ weight }) => weight ?? []);
  const mean = said.length === 0 ? 1 : said.reduce((sum, weight) => sum + weight, 0) / said.length;
  const weights = creatives.map(({ weight = mean }) => weight);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (all === 0 ? 1 / weights.length : weight / all));
}

export const ROTATIONS = [
  { value: 'weighted', label: 'By weight' },
  { value: 'round_robin', label: 'One after the other' },
  { value: 'random', label: 'At random' },
] as const;

export const PACINGS = [
  { value: 'linear', label: 'Evenly over the day' },
  { value: 'aggressive', label: 'Ahead of an even plan' },
  { value: 'conservative', label: 'Behind an even plan' },
] as const;

const PAUSED_BY: Readonly<Record<NonNullable<Campaign['paused_by']>, string>> = {
  hand: 'paused by hand',
  strategy: 'its strategy has it as paused',
  total_budget: 'its total budget is spent',
  daily_budget: "today's budget is spent; it goes on at midnight UTC",
};

/** Why it does not bid; null where it does. */
export function restingWords({ status, paused_by: by }: Campaign): string | null {
  if (status === 'retired') return 'its strategy has it no more, or its demand source is archived';
  return by === null ? null : PAUSED_BY[by];
}
