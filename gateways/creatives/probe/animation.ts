/** The timing of an animated image. */
export interface Animation {
  /** The duration of one run. */
  readonly durationMs: number;
  /** The number of runs; 0: without end. */
  readonly runs: number;
}

/** Browsers show a frame with a delay of less than 20 ms for 100 ms. */
const SHORTEST_FRAME_MS = 20;
const HURRIED_FRAME_MS = 100;

/**
 * The animation of a GIF of more than one frame; null for any other file. A truncated file is judged by the frames it
 * has.
 */
export function gifAnimation(bytes: Buffer): Animation | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) || bytes.length < 13) return null;
  let at = 13 + colorTableBytes(bytes[10]!);
  let frames = 0;
  let durationMs = 0;
  let frameMs = 0;
  let runs = 1;
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x21) {
      const label = bytes[at + 1];
      const first = at + 3;
      if (label === 0xf9 && at + 6 < bytes.length) {
        frameMs = bytes.readUInt16LE(at + 4) * 10;
      } else if (
        label === 0xff &&
        bytes.toString('latin1', first, first + 11) === 'NETSCAPE2.0' &&
        at + 18 <= bytes.length
      ) {
        const repetitions = bytes.readUInt16LE(at + 16);
        runs = repetitions === 0 ? 0 : repetitions + 1;
      }
      at = afterSubBlocks(bytes, at + 2);
    } else if (block === 0x2c) {
      frames += 1;
      durationMs += frameMs < SHORTEST_FRAME_MS ? HURRIED_FRAME_MS : frameMs;
      frameMs = 0;
      // Skips the image descriptor, the local colour table and the code size.
      at = afterSubBlocks(bytes, at + 10 + colorTableBytes(bytes[at + 9] ?? 0) + 1);
    } else {
      break;
    }
  }
  return frames > 1 ? { durationMs, runs } : null;
}

function colorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function afterSubBlocks(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
  return at + 1;
}

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** The animation of an animated PNG (PNG 3rd edition §11.3.6); null for any other file. */
export function pngAnimation(bytes: Buffer): Animation | null {
  if (bytes.toString('latin1', 0, 8) !== PNG_SIGNATURE) return null;
  let runs: number | null = null;
  let frames = 0;
  let durationMs = 0;
  let at = 8;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const data = at + 8;
    if (data + length > bytes.length) break;
    if (type === 'acTL' && length >= 8) runs = bytes.readUInt32BE(data + 4);
    if (type === 'fcTL' && length >= 26) {
      frames += 1;
      const ms = (bytes.readUInt16BE(data + 20) * 1000) / (bytes.readUInt16BE(data + 22) || 100);
      durationMs += Math.round(ms);
    }
    at = data + length + 4;
  }
  return runs !== null && frames > 1 ? { durationMs, runs } : null;
}
