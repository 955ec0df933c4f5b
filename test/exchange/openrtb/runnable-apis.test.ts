import { expect } from 'chai';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { withRunnableApis } from '#exchange/openrtb/runnable-apis';

const requestOf = (...imp: object[]) => ({ id: '1', imp, site: { id: 'p' } }) as unknown as BidRequest;

describe('exchange/openrtb/runnable-apis', () => {
  it('offers no VPAID, and no MRAID on televisions', () => {
    const request = requestOf(
      { id: '1', banner: { w: 320, h: 50, api: [3, 5, 6, 7] } },
      { id: '2', video: { mimes: ['video/mp4'], api: [1, 2, 7] }, bidfloor: 2 },
      { id: '3', banner: { api: [5] }, video: { mimes: [], api: [2] }, native: { request: '{}' } },
    );
    const before = structuredClone(request);
    expect(withRunnableApis(request, false).imp).to.deep.equal([
      { id: '1', banner: { w: 320, h: 50, api: [3, 5, 6, 7] } },
      { id: '2', video: { mimes: ['video/mp4'], api: [7] }, bidfloor: 2 },
      { id: '3', banner: { api: [5] }, video: { mimes: [] }, native: { request: '{}' } },
    ]);
    expect(withRunnableApis(request, true).imp).to.deep.equal([
      { id: '1', banner: { w: 320, h: 50, api: [7] } },
      { id: '2', video: { mimes: ['video/mp4'], api: [7] }, bidfloor: 2 },
      { id: '3', banner: {}, video: { mimes: [] }, native: { request: '{}' } },
    ]);
    expect(withRunnableApis(request, true)).to.include({ id: '1' });
    expect(request, 'the caller’s own').to.deep.equal(before);
  });

  it('leaves a request alone that offers nothing of the kind', () => {
    const phone = requestOf({ id: '1', banner: { api: [5, 6] } }, { id: '2', video: { mimes: [], api: [7] } });
    expect(withRunnableApis(phone, false)).to.equal(phone);
    const plain = requestOf({ id: '1', banner: {} }, { id: '2', native: { request: '{}' } });
    expect(withRunnableApis(plain, true)).to.equal(plain);
  });
});
