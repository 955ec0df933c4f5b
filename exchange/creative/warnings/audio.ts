import type { MediaFacts } from '../media-facts.ts';
import { durationWarnings } from './duration.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MIN_KBPS = 128;
/** The tolerance of a bit rate: a file of nominally 128 kbit/s has a little less on average. */
const KBPS_TOLERANCE = 4;
const SAMPLE_RATES_HZ = [44_100, 48_000];
const COMPANION = '300x250';
/**
 * MP3, AAC (bare, or as M4A) and Ogg. Several containers can hold compressed and uncompressed audio, so codecs are
 * checked too.
 */
const CONTAINERS: ReadonlySet<string> = new Set(['MPEG Audio', 'ADTS', 'MPEG-4', 'QuickTime', 'Ogg']);
const CODECS = /^(?:MPEG Audio Layer 3|AAC|Vorbis|Opus)/;
const UNCOMPRESSED = /^PCM/;

/** The warnings of "Creative specifications", Audio (specification). */
export function* audioWarnings(files: readonly MediaFacts[]): Generator<string> {
  for (const file of files) {
    if (file.use === 'media') yield* fileWarnings(file);
    else yield* companionWarnings(file);
  }
}

function* fileWarnings({ container, audio, bytes, bitrateKbps, durationMs }: MediaFacts): Generator<string> {
  if (bytes > MAX_BYTES) yield 'audio_oversized';
  if (audio !== undefined && UNCOMPRESSED.test(audio.codec)) yield 'uncompressed_audio';
  else if (audio === undefined || !CONTAINERS.has(container ?? '') || !CODECS.test(audio.codec)) {
    yield 'unsupported_audio_format';
  }
  const kbps = audio?.bitrateKbps ?? bitrateKbps;
  if (kbps !== undefined && kbps < MIN_KBPS - KBPS_TOLERANCE) yield 'low_audio_bitrate';
  if (audio?.sampleRateHz !== undefined && !SAMPLE_RATES_HZ.includes(audio.sampleRateHz)) {
    yield 'non_standard_sample_rate';
  }
  yield* durationWarnings(durationMs);
}

function* companionWarnings({ image }: MediaFacts): Generator<string> {
  if (image?.width === undefined || image.height === undefined) return;
  const size = `${image.width}x${image.height}`;
  if (size !== COMPANION) yield `non_standard_companion:${size}`;
}
