import { expect } from 'chai';
import { gifAnimation, pngAnimation } from '#gateways/creatives/probe/animation';
import { ANIMATED_GIF, PNG_300_250 } from '#test/support/sample-media';

/**
 * A GIF of 1×1 frames that are shown for so many hundredths of a second each; `repetitions` as NETSCAPE2.0 counts them.
 */
function gif(delays: readonly number[], repetitions: number | null): Buffer {
  const loop =
    repetitions === null
      ? []
      : [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, repetitions & 0xff, repetitions >> 8, 0];
  const frames = delays.flatMap((delay) => [
    ...[0x21, 0xf9, 4, 0, delay & 0xff, delay >> 8, 0, 0],
    // A local table of two colours, then the frame's one pixel.
    ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0, 0, 0, 255, 255, 255, 2, 2, 0x4c, 0x01, 0],
  ]);
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    1,
    0,
    1,
    0,
    0x80,
    0,
    0,
    0,
    0,
    0,
    255,
    255,
    255,
    ...loop,
    ...frames,
    0x3b,
  ]);
}

function chunk(type: string, data: readonly number[]): number[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return [...length, ...Buffer.from(type), ...data, 0, 0, 0, 0];
}

function apng(delays: readonly (readonly [number, number])[], plays: number): Buffer {
  const frame = ([numerator, denominator]: readonly [number, number]) =>
    chunk('fcTL', [...Array(20).fill(0), 0, numerator, 0, denominator, 0, 0]);
  return Buffer.from([
    ...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunk('acTL', [0, 0, 0, delays.length, 0, 0, 0, plays]),
    ...delays.flatMap(frame),
    ...chunk('IEND', []),
  ]);
}

describe('gateways/creatives/probe: animation', () => {
  it('is counted frame by frame, with how often it runs', () => {
    expect(gifAnimation(gif([100, 50], null))).to.deep.equal({ durationMs: 1_500, runs: 1 });
    expect(gifAnimation(gif([100, 50], 0))).to.deep.equal({ durationMs: 1_500, runs: 0 });
    expect(gifAnimation(gif([300, 300, 300], 2))).to.deep.equal({ durationMs: 9_000, runs: 3 });
    // Browsers show what is in such a hurry for a tenth of a second.
    expect(gifAnimation(gif([0, 1, 2], null))).to.deep.equal({ durationMs: 220, runs: 1 });
    expect(gifAnimation(ANIMATED_GIF)).to.deep.equal({ durationMs: 3_000, runs: 0 });
  });
  it('is none where there is one frame, or another format', () => {
    for (const bytes of [gif([100], 0), PNG_300_250, Buffer.alloc(0), Buffer.from('GIF89a')]) {
      expect(gifAnimation(bytes)).to.equal(null);
    }
    expect(pngAnimation(PNG_300_250)).to.equal(null);
    expect(pngAnimation(apng([[1, 2]], 0))).to.equal(null);
  });
  it('is read of PNGs too', () => {
    expect(
      pngAnimation(
        apng(
          [
            [1, 2],
            [3, 4],
          ],
          3,
        ),
      ),
    ).to.deep.equal({ durationMs: 1_250, runs: 3 });
    expect(
      pngAnimation(
        apng(
          [
            [1, 0],
            [1, 0],
          ],
          0,
        ),
      ),
    ).to.deep.equal({ durationMs: 20, runs: 0 });
  });
  it('ends where the file does, wherever it is cut', () => {
    for (const whole of [
      gif([100, 100, 100], 1),
      apng(
        [
          [1, 2],
          [1, 2],
        ],
        1,
      ),
    ]) {
      for (let length = 0; length <= whole.length; length++) {
        gifAnimation(whole.subarray(0, length));
        pngAnimation(whole.subarray(0, length));
      }
      for (let at = 0; at < whole.length; at++) {
        const broken = Buffer.from(whole);
        broken[at] = 255 - broken[at]!;
        gifAnimation(broken);
        pngAnimation(broken);
      }
    }
  });
});
