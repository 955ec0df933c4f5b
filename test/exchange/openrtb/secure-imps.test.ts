import { expect } from 'chai';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { withSecureImps } from '#exchange/openrtb/secure-imps';

const requestOf = (...imp: object[]) => ({ id: '1', imp, site: { id: 'p' } }) as unknown as BidRequest;

describe('a request where only secure creatives are shown', () => {
  it('asks for them in every imp, and leaves the caller’s document as it was', () => {
    const request = requestOf({ id: '1', banner: {} }, { id: '2', secure: 0 }, { id: '3', secure: 1 });
    expect(withSecureImps(request)).to.deep.equal({
      id: '1',
      imp: [
        { id: '1', banner: {}, secure: 1 },
        { id: '2', secure: 1 },
        { id: '3', secure: 1 },
      ],
      site: { id: 'p' },
    });
    expect(request.imp.map(({ secure }) => secure)).to.deep.equal([undefined, 0, 1]);
  });

  it('is the request itself where it asks for them already', () => {
    const request = requestOf({ id: '1', secure: 1 });
    expect(withSecureImps(request)).to.equal(request);
  });
});
