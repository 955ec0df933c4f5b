import { readFileSync } from 'node:fs';

/** Tiny files of `test/media`, whose README says how they were made. */
function sample(name: string): Buffer {
  return readFileSync(new URL(`../media/${name}`, import.meta.url));
}

/** 15 s, 640×480, 25 fps, with a silent track: all as recommended but for its bit rate. */
export const H264_AAC_MP4 = sample('spot-15s.mp4');
/** 1 s, 320×240, 10 fps, without sound. */
export const HEVC_MP4 = sample('silent-hevc.mp4');
/** VP8 and Opus. */
export const WEBM = sample('clip.webm');
/** 0.5 s, 44.1 kHz, 128 kbit/s. */
export const MP3 = sample('jingle.mp3');
export const OGG = sample('jingle.ogg');
/** Uncompressed, 22.05 kHz. */
export const WAV = sample('jingle.wav');
export const PNG_300_250 = sample('banner-300x250.png');
/** Three frames of a second each, without end. */
export const ANIMATED_GIF = sample('animated.gif');
export const JPEG_1200_627 = sample('native-1200x627.jpg');
