import { type Campaign, creativesOf } from '../strategy/document/campaign.ts';
import { type Creative, formatOfCreative } from '../strategy/document/creative.ts';

/** Something about a creative that is not as recommended; it serves all the same (specification, "Errors"). */
export interface CreativeWarning {
  readonly creative_id: string;
  readonly warning: string;
}

/** Specification, "Creative specifications", Banner. */
const STANDARD_SIZES: ReadonlySet<string> = new Set([
  '320x50',
  '300x250',
  '728x90',
  '970x250',
  '160x600',
  '300x600',
  '320x480',
]);
const BANNER_LOAD_BYTES = 150 * 1024;

const AUDIO_WARNINGS: Readonly<Record<string, string>> = {
  wav: 'uncompressed_audio',
  aif: 'uncompressed_audio',
  aiff: 'uncompressed_audio',
  flac: 'unsupported_audio_format',
  wma: 'unsupported_audio_format',
  amr: 'unsupported_audio_format',
  mid: 'unsupported_audio_format',
};

/** What a campaign's own words tell of its creatives, without anything being fetched. */
export function staticWarnings(campaign: Campaign): CreativeWarning[] {
  return creativesOf(campaign).flatMap((creative) =>
    warningsOf(creative).map((warning) => ({ creative_id: creative.creative_id, warning })),
  );
}

function warningsOf(creative: Creative): string[] {
  const { width, height, html, audio_url: audioUrl } = creative;
  const format = formatOfCreative(creative);
  const warnings: string[] = [];
  if ((format === 'banner' || format === 'html5') && width !== undefined && height !== undefined) {
    const size = `${width}x${height}`;
    if (!STANDARD_SIZES.has(size)) warnings.push(`non_standard_size:${size}`);
  }
  if (format === 'banner' && html !== undefined && new TextEncoder().encode(html).length > BANNER_LOAD_BYTES) {
    warnings.push('banner_oversized');
  }
  if (audioUrl !== undefined) {
    const extension = /\.([a-z0-9]{1,5})(?:[?#]|$)/i.exec(audioUrl)?.[1]?.toLowerCase() ?? '';
    if (Object.hasOwn(AUDIO_WARNINGS, extension)) warnings.push(AUDIO_WARNINGS[extension]!);
  }
  return warnings;
}
