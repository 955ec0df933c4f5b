import { expect } from 'chai';
import { newerToken, newestToken, tokenOf } from '#runtime/ports/store-token';

describe('tokens of a store', () => {
  it('are compared by their instants, whatever else is in them', () => {
    const [ninth, tenth, later] = [tokenOf(9n, 'zzz'), tokenOf(10n, 'aaa'), tokenOf(0x7000_0000_0000_0001n, '')];
    expect(newerToken(ninth, tenth)).to.equal(tenth);
    expect(newerToken(tenth, ninth)).to.equal(tenth);
    expect(newerToken(later, tenth)).to.equal(later);
    expect(newestToken([ninth, later, tenth])).to.equal(later);
  });

  it('of one instant are the same, and none is older than all', () => {
    const [one, other] = [tokenOf(9n, 'a'), tokenOf(9n, 'b')];
    expect(newerToken(one, other)).to.equal(one);
    expect(newerToken('', one)).to.equal(one);
    expect(newerToken(one, '')).to.equal(one);
    expect(newestToken([])).to.equal('');
  });
});
