import { expect } from 'chai';
import { growthOf, isLinear } from './growth.ts';
import { PATTERNS } from './patterns.ts';
import { scanSources } from './scan-sources.ts';
import { type WorstCase, written } from './worst-case.ts';

/** Tried beside each pattern's own: what patterns are most often slow on, before an end that nothing matches. */
const USUAL: readonly WorstCase[] = [...' a0.'].map((repeated) => ['', repeated, '\n\u0001'] as const);

describe('the patterns of the product', () => {
  it('are all listed with what keeps them busiest, or as ones that see nothing from outside', async () => {
    const { patterns } = await scanSources();
    const found = Object.fromEntries([...patterns].map(([file, own]) => [file, [...own].sort()]));
    const listed = Object.fromEntries(Object.entries(PATTERNS).map(([file, own]) => [file, Object.keys(own).sort()]));
    expect(listed, 'test/security/linear/patterns.ts').to.deep.equal(found);
  });

  for (const [file, own] of Object.entries(PATTERNS)) {
    const judged = Object.entries(own).filter(([, worst]) => typeof worst !== 'string');
    if (judged.length === 0) continue;
    it(`of ${file} take time in proportion to their input`, () => {
      for (const [pattern, worst] of judged) {
        for (const input of [worst as WorstCase, ...USUAL]) {
          const growth = growthOf((length) => matching(pattern, written(input, length)));
          expect(isLinear(growth), `${pattern} on ${JSON.stringify(input)} takes ${growth} times as long`).to.equal(
            true,
          );
        }
      }
    });
  }
});

/** Finds all that a global pattern finds, and the first of any other. */
function matching(literal: string, text: string): () => void {
  const end = literal.lastIndexOf('/');
  const pattern = new RegExp(literal.slice(1, end), literal.slice(end + 1));
  return () => {
    pattern.lastIndex = 0;
    while (pattern.exec(text) !== null && pattern.global) {
      // An empty match is found again and again.
      if (pattern.lastIndex >= text.length) break;
    }
  };
}
