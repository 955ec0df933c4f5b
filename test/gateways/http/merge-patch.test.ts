import { expect } from 'chai';
import { mergePatch, mergePatches } from '#gateways/http/merge-patch';

/** RFC 7396, Appendix A: original, patch, result. */
const CASES: readonly (readonly [original: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

describe('gateways/http/merge-patch', () => {
  for (const [original, patch, result] of CASES) {
    it(`makes ${result} of ${original} by ${patch}`, () => {
      expect(mergePatch(JSON.parse(original), JSON.parse(patch))).to.deep.equal(JSON.parse(result));
    });
  }

  it('makes of several patches what they make one after another', () => {
    const patches = CASES.map(([, patch]) => JSON.parse(patch) as unknown);
    for (const [original] of CASES) {
      for (const first of patches) {
        for (const second of patches) {
          for (const third of patches) {
            const document: unknown = JSON.parse(original);
            const oneByOne = mergePatch(mergePatch(mergePatch(document, first), second), third);
            expect(mergePatches(document, [first, second, third])).to.deep.equal(oneByOne);
          }
        }
      }
    }
    expect(mergePatches({ a: 1 }, [])).to.deep.equal({ a: 1 });
  });

  it('takes __proto__ for a field like any other', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype);
    expect(Object.keys(merged)).to.deep.equal(['__proto__']);
  });
});
