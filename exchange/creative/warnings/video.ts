import type { MediaFacts } from '../media-facts.ts';
import { durationWarnings } from './duration.ts';

const MAX_BYTES = 50 * 1024 * 1024;
const RESOLUTIONS: ReadonlySet<string> = new Set(['1920x1080', '1280x720', '640x480']);
const FRAME_RATES = [24, 25, 30];
/** NTSC's 23.976 and 29.97 frames a second are called 24 and 30. */
const FRAME_RATE_TOLERANCE = 0.05;
const MAX_KBPS = 8_000;
const MIN_KBPS = 500;
const MIN_KBPS_CTV = 2_000;

/**
 * The warnings of "Creative specifications", Video (specification), for every rendition of an ad.
 * @param ctvOnly whether the campaign bids on televisions alone, which take H.265 and higher bit rates
 */
export function* videoWarnings(files: readonly MediaFacts[], ctvOnly: boolean): Generator<string> {
  for (const file of files) {
    if (file.use === 'media') yield* renditionWarnings(file, ctvOnly);
  }
}

function* renditionWarnings(file: MediaFacts, ctvOnly: boolean): Generator<string> {
  const { container, video, audio, bytes, bitrateKbps, durationMs } = file;
  if (container !== 'MPEG-4') yield 'unsupported_container';
  if (bytes > MAX_BYTES) yield 'large_file';
  if (container === null) return;
  if (video === undefined || !(video.codec === 'AVC' || (video.codec === 'HEVC' && ctvOnly))) {
    yield 'unsupported_video_codec';
  }
  if (audio === undefined) yield 'no_audio_track';
  else if (!audio.codec.startsWith('AAC')) yield 'unsupported_audio_codec';
  if (bitrateKbps !== undefined) {
    if (bitrateKbps < (ctvOnly ? MIN_KBPS_CTV : MIN_KBPS)) yield 'low_video_bitrate';
    if (bitrateKbps > MAX_KBPS) yield 'high_video_bitrate';
  }
  const { width, height, framesPerSecond } = video ?? {};
  if (width !== undefined && height !== undefined && !RESOLUTIONS.has(`${width}x${height}`)) {
    yield `non_standard_resolution:${width}x${height}`;
  }
  if (framesPerSecond !== undefined && !isFrameRate(framesPerSecond)) yield 'non_standard_frame_rate';
  yield* durationWarnings(durationMs);
}

function isFrameRate(rate: number): boolean {
  return FRAME_RATES.some((standard) => Math.abs(rate - standard) <= FRAME_RATE_TOLERANCE);
}
