import { expect } from 'chai';
import fc from 'fast-check';
import { nameId } from '#actors/name/reservation';

describe('actors/name/reservation', () => {
  it('takes names that differ in case, Unicode form or outer white space alone as the same', () => {
    const one = nameId('a1', 'pool', 'Café News');
    expect(nameId('a1', 'pool', '  CAFE\u0301 news ')).to.equal(one);
    expect(nameId('a1', 'pool', 'Cafe News')).not.to.equal(one);
  });

  it('keeps accounts and spaces apart', () => {
    expect(
      new Set([nameId('a1', 'pool', 'x'), nameId('a2', 'pool', 'x'), nameId('a1', 'dsp:live', 'x')]).size,
    ).to.equal(3);
  });

  it('makes plain, distinct ids of distinct names', () => {
    const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        const same = (text: string) => text.normalize('NFKC').trim().toLowerCase();
        const [oneId, otherId] = [nameId('a', 'k', one), nameId('a', 'k', other)];
        expect(oneId).to.match(/^a:k:[a-z0-9_]*$/);
        expect(oneId === otherId).to.equal(same(one) === same(other));
      }),
    );
  });
});
