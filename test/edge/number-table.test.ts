import { expect } from 'chai';
import fc from 'fast-check';
import { NumberTable } from '#edge/number-table';

/** Few enough to come again, and as large as fingerprints are. */
const key = fc.oneof(
  fc.nat(50),
  fc.maxSafeNat(),
  fc.nat(300).map((at) => 2 ** 32 * at),
);
const change = fc.oneof(
  fc.record({ key, value: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ key, value: fc.constant(undefined) }),
);

describe('a table of numbers', () => {
  it('holds what a map of them would', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3_000, size: 'max' }), (changes) => {
        const table = new NumberTable();
        const map = new Map<number, number>();
        for (const { key, value } of changes) {
          if (value === undefined) {
            table.delete(key);
            map.delete(key);
          } else {
            table.set(key, value);
            map.set(key, value);
          }
          expect(table.size).to.equal(map.size);
        }
        for (const { key } of changes) {
          expect(table.get(key)).to.equal(map.get(key));
          expect(table.has(key)).to.equal(map.has(key));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('finds each of many thousands', () => {
    const table = new NumberTable();
    for (let at = 0; at < 20_000; at++) table.set(at * 256, at);
    expect(table.size).to.equal(20_000);
    for (let at = 0; at < 20_000; at++) if (table.get(at * 256) !== at) throw new Error(`${at} was lost`);
    expect(table.get(1)).to.equal(undefined);
  });

  it('does not fill up with what was deleted', () => {
    const table = new NumberTable();
    for (let at = 0; at < 100_000; at++) {
      table.set(at, at);
      table.delete(at);
    }
    expect(table.size).to.equal(0);
    expect(table.get(99_999)).to.equal(undefined);
  });
});
