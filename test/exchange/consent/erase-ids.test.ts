import { expect } from 'chai';
import fc from 'fast-check';
import { eraseIds } from '#exchange/consent/erase-ids';
import { IdSearch } from '#exchange/consent/id-search';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { growthOf, isLinear } from '../../security/linear/growth.ts';

const requestOf = (ids: readonly string[]): BidRequest => ({
  id: '1',
  imp: [{ id: '1' }],
  user: { eids: [{ source: 'a.example', uids: ids.map((id) => ({ id })) }] },
});
const erasedFrom = (page: string, ids: readonly string[]): string => {
  const offered: BidRequest = { id: '1', imp: [{ id: '1' }], site: { page } };
  return eraseIds(requestOf(ids), offered).site!.page!;
};

describe('exchange/consent: ids that stand elsewhere too', () => {
  it('are taken out whole, however long', () => {
    const id = `${'Ab9_'.repeat(50)}==`;
    expect(erasedFrom(`https://a.example/?u=${id}&v=1`, [id])).to.equal('https://a.example/?u=&v=1');
    expect(erasedFrom(`https://a.example/?u=${encodeURIComponent(id)}#x`, [id])).to.equal('https://a.example/?u=#x');
    expect(erasedFrom(`https://a.example/${id.slice(0, 60)}`, [id])).to.equal(`https://a.example/${id.slice(0, 60)}`);
    expect(erasedFrom('https://a.example/?u=A.B*C(D)E', ['a.b*c(d)e'])).to.equal('https://a.example/?u=');
  });

  it('cost what the text costs, however many and alike they are', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `${'a'.repeat(2_000)}${index}`);
    expect(erasedFrom(`${'a'.repeat(400_000)} ${many[0]}`, many)).to.equal(' ');
    const alike = Array.from({ length: 100 }, (_, index) => `${'a'.repeat(60)}${index}`);
    const growth = growthOf((length) => {
      const page = 'a'.repeat(length);
      return () => erasedFrom(page, alike);
    });
    expect(isLinear(growth), `takes ${growth} times as long`).to.equal(true);
  });

  it('are looked for in one pass, that finds what a search for each of them finds', () => {
    const part = fc.constantFrom('aaaaaaaa', 'AAAAAAAB', 'abababab', 'babababa', 'é', 'x', ' ', '&');
    const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const found = fc.array(
      texts.filter((id) => id.length >= 8 && id.length < 64),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(texts, found, (text, ids) => {
        const search = new IdSearch(ids);
        const holds = ids.some((id) => text.toLowerCase().includes(id.toLowerCase()));
        expect(search.finds(text)).to.equal(holds);
        const left = search.without(text);
        expect(left === text).to.equal(!holds);
        if (!holds) return;
        // Whatever is left stood there, in its order.
        let at = 0;
        for (const character of left) at = text.indexOf(character, at) + 1;
        expect(left === '' || at > 0).to.equal(true);
      }),
    );
  });
});
