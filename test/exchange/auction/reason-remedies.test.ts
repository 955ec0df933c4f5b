import { expect } from 'chai';
import { REASONS } from '#exchange/auction/explain-reason';
import { remedyOf } from '#exchange/auction/reason-remedies';

describe('the remedies of reasons', () => {
  it('are there for every reason that a record may name', () => {
    expect(REASONS.filter((reason) => remedyOf(reason) === null)).to.deep.equal([]);
  });

  it('name a field, a setting or its owner', () => {
    for (const reason of REASONS) expect(remedyOf(reason), reason).to.match(/^[\w X-].{8,}\.$/);
  });

  it('are none for a reason that is not known', () => {
    expect([remedyOf('of-tomorrow'), remedyOf('constructor')]).to.deep.equal([null, null]);
  });
});
