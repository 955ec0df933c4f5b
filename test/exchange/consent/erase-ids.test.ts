import { expect } from 'chai';
import { eraseIds } from '../../../exchange/consent/erase-ids.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';

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
    const page = `${'a'.repeat(400_000)} ${many[0]}`;
    const began = performance.now();
    expect(erasedFrom(page, many)).to.equal(' ');
    // Looking for each of them at each place takes minutes.
    expect(performance.now() - began).to.be.below(5_000);
  });
});
