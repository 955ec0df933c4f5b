import { expect } from 'chai';
import fc from 'fast-check';
import { asksForMraid } from '../../../../exchange/creative/render/asks-for-mraid.ts';
import { growthOf, isLinear } from '../../../security/linear/growth.ts';

/** What it means, in time that grows with the square of the markup. */
const NAIVE = /<script\b[^>]*\bsrc\s*=\s*["']?(?:[^"'\s>]*\/)?mraid\.js\b/i;

describe('markup that asks for mraid.js', () => {
  it('is found as one pattern would find it', () => {
    const parts = [
      '<script',
      ' ',
      'src',
      '=',
      '"',
      "'",
      'mraid.js',
      '/',
      '>',
      'a',
      '</script>',
      'SRC = ',
      '\n',
      'xmraid.js',
    ];
    const markups = fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((some) => some.join(''));
    fc.assert(
      fc.property(markups, (markup) => {
        expect(asksForMraid(markup), markup).to.equal(NAIVE.test(markup));
      }),
      { numRuns: 3_000 },
    );
    expect(asksForMraid('<SCRIPT async src="https://cdn.test/MRAID.js?a"></SCRIPT>')).to.equal(true);
  });

  it('is read in proportion to its length, whatever begins in it and never ends', () => {
    for (const part of ['<script ', '<script src=a/', 'src=', '<script src = ', '<script>']) {
      const growth = growthOf((length) => {
        const markup = `<script ${part.repeat(Math.ceil(length / part.length))}`;
        return () => asksForMraid(markup);
      });
      expect(isLinear(growth), `${part} takes ${growth} times as long`).to.equal(true);
    }
  });
});
