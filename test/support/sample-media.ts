import { readFileSync } from 'node:fs';

/** Reads a small file of `test/media`, whose README says how it was made. */
function sample(name: string): Buffer {
  return readFileSync(new URL(`../media/${name}`, import.meta.url));
}

/** 15 s, 640×480, 25 fps, with a silent track; it follows all recommendations except the bit rate. */
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
/** Three frames of 1 s each, in an endless loop. */
export const ANIMATED_GIF = sample('animated.gif');
export const JPEG_1200_627 = sample('native-1200x627.jpg');
/** 0.5 s of silence, with a variable bit rate. */
export const M4A = sample('jingle.m4a');
export const AAC = sample('jingle.aac');

/** The sample of 15 s with `more` bytes that players ignore: its average bit rate grows with them. */
export function paddedMp4(more: number): Buffer {
  const free = Buffer.alloc(more);
  free.writeUInt32BE(more, 0);
  free.write('free', 4);
  return Buffer.concat([H264_AAC_MP4, free]);
}

/** An MP3 of any length: the frames repeat. */
export function mp3Of(seconds: number): Buffer {
  const sampleSeconds = (21 * 1152) / 44_100;
  return Buffer.concat(Array.from({ length: Math.round(seconds / sampleSeconds) }, () => MP3));
}

/** A PNG whose header declares this size, padded to `bytes`. */
export function pngOf(width: number, height: number, bytes = PNG_300_250.length): Buffer {
  const png = Buffer.concat([PNG_300_250, Buffer.alloc(Math.max(0, bytes - PNG_300_250.length))]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}
