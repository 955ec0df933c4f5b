import { expect } from 'chai';
import { acceptsDollars } from '#exchange/currency/currency';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { publisherCandidates } from '#exchange/openrtb/publisher-candidates';

const good = { id: 'r', imp: [{ id: '1', banner: {} }] };

describe('publisherCandidates', () => {
  for (const inventory of ['site', 'app', 'dooh']) {
    it(`tries ${inventory}.id before ${inventory}.publisher.id`, () => {
      const request = parseBidRequest({ ...good, [inventory]: { publisher: { id: 'second' }, id: 'first' } });
      expect(publisherCandidates(request)).to.deep.equal(['first', 'second']);
    });
  }

  it('finds none where no publisher is named', () => {
    expect(publisherCandidates(parseBidRequest({ ...good, site: { id: '', page: 'p', publisher: {} } }))).to.deep.equal(
      [],
    );
    expect(publisherCandidates(parseBidRequest(good))).to.deep.equal([]);
  });
});

describe('acceptsDollars', () => {
  for (const [accepts, cur] of [
    [true, undefined],
    [true, []],
    [true, ['EUR', 'USD']],
    [false, ['EUR']],
  ] as const) {
    it(`is ${accepts} for ${JSON.stringify(cur)}`, () =>
      expect(acceptsDollars(parseBidRequest({ ...good, cur }))).to.equal(accepts));
  }
});
