import { expect } from 'chai';
import fc from 'fast-check';
import { asksForMraid } from '#exchange/creative/render/asks-for-mraid';
import { growthOf, isLinear } from '#test/security/linear/growth';

/** What it means, in time that grows with the square of the markup. */
const NAIVE = /<script\b[^>]*\bsrc\s*=\s*["']?(?:[^"'\s>]*\/)?mraid\.js\b/i;
/** The same where a script sets it. */
const NAIVE_SET = /\bsrc["'`]?\s*[=:,]\s*["'`](?:[^"'`\s<>]*\/)?mraid\.js\b/i;
/** A value that begins like the attribute again: the first attribute of the name is what a browser loads. */
const NESTED = /\bsrc\s*=\s*["']?[^"'\s>]*\bsrc\s*=/i;

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
        fc.pre(!NESTED.test(markup));
        expect(asksForMraid(markup), markup).to.equal(NAIVE.test(markup) || NAIVE_SET.test(markup));
      }),
      { numRuns: 3_000 },
    );
    expect(asksForMraid('<SCRIPT async src="https://cdn.test/MRAID.js?a"></SCRIPT>')).to.equal(true);
  });

  it('is found where a script sets what is loaded, and not where the name is only mentioned', () => {
    const asking = [
      "var s = document.createElement('script'); s.src = 'mraid.js';",
      "s.setAttribute('src', '/sdk/mraid.js')",
      'load({ src: `mraid.js` })',
      '{"jstracker":"<script src=\\"mraid.js\\"></script>"}',
    ];
    for (const markup of asking) expect(asksForMraid(markup), markup).to.equal(true);
    const mentioning = ['<!-- runs without mraid.js -->', 'if (window.mraid) mraid.open()', "s.src = 'xmraid.js'"];
    for (const markup of mentioning) expect(asksForMraid(markup), markup).to.equal(false);
  });

  it('is read in proportion to its length, whatever begins in it and never ends', () => {
    for (const part of [
      '<script ',
      '<script src=a/',
      'src=',
      '<script src = ',
      '<script>',
      'mraid.js ',
      'src="/',
      'src="mraid.js/',
    ]) {
      const growth = growthOf((length) => {
        const markup = `<script ${part.repeat(Math.ceil(length / part.length))}`;
        return () => asksForMraid(markup);
      });
      expect(isLinear(growth), `${part} takes ${growth} times as long`).to.equal(true);
    }
  });
});
