import { expect } from 'chai';
import { readTargeting, type TargetedBid, targetingOf } from '#gateways/edge/prebid-server/targeting';

const BID: TargetedBid = {
  code: 'adexchange',
  priceCpmMicros: 1_870_000,
  format: 'banner',
  size: { w: 300, h: 250 },
  dealId: undefined,
  isHighest: true,
  cached: null,
};

function keys(stated: object, bid: Partial<TargetedBid> = {}, environment: 'amp' | 'mobile-app' | null = null) {
  return targetingOf(readTargeting(stated)!, { ...BID, ...bid }, environment);
}

describe('gateways/edge/prebid-server/targeting', () => {
  it('is wanted only where the request has it', () => {
    expect(readTargeting(undefined)).to.equal(null);
    expect(readTargeting(true)).to.equal(null);
  });

  it('has the keys of the winner and of the bidder by default, cut at 20 characters', () => {
    expect(keys({})).to.deep.equal({
      hb_pb: '1.80',
      hb_pb_adexchange: '1.80',
      hb_bidder: 'adexchange',
      hb_bidder_adexchange: 'adexchange',
      hb_size: '300x250',
      hb_size_adexchange: '300x250',
    });
    const longest = keys({}, { code: 'a_bidder_with_a_long_name' });
    expect(longest).to.have.property('hb_pb_a_bidder_with_', '1.80');
    expect(Object.keys(longest).every((key) => key.length <= 20)).to.equal(true);
  });

  it('leaves out the keys of winners, or of bidders', () => {
    expect(Object.keys(keys({ includebidderkeys: false }))).to.have.members(['hb_pb', 'hb_bidder', 'hb_size']);
    expect(Object.keys(keys({ includewinners: false }))).to.have.members([
      'hb_pb_adexchange',
      'hb_bidder_adexchange',
      'hb_size_adexchange',
    ]);
    expect(Object.keys(keys({}, { isHighest: false }))).to.not.include('hb_pb');
  });

  it('names a deal, and its bidder even where bidders are left out', () => {
    const deal = { dealId: 'deal-1' };
    expect(keys({ includebidderkeys: false, alwaysincludedeals: true }, deal)).to.include({
      hb_deal: 'deal-1',
      hb_deal_adexchange: 'deal-1',
    });
    expect(keys({ includebidderkeys: false }, deal)).to.not.have.property('hb_deal_adexchange');
  });

  it('names the format where it is asked for, and where the creative renders', () => {
    expect(keys({ includeformat: true }, {}, 'mobile-app')).to.include({ hb_format: 'banner', hb_env: 'mobile-app' });
    expect(keys({}, {}, 'amp'))
      .to.include({ hb_env: 'amp' })
      .and.not.have.property('hb_format');
  });

  it('has the granularity of the format, where there is one', () => {
    const stated = { pricegranularity: 'low', mediatypepricegranularity: { video: 'high', native: null } };
    expect(keys(stated).hb_pb).to.equal('1.50');
    expect(keys(stated, { format: 'video' }).hb_pb).to.equal('1.87');
    expect(keys(stated, { format: 'native' }).hb_pb).to.equal('1.50');
  });

  it('leads to the cached bid', () => {
    const cached = { host: 'edge.test', path: '/cache', bidId: 'bid', vastId: 'vast' };
    expect(keys({ includebidderkeys: false }, { cached })).to.include({
      hb_cache_id: 'bid',
      hb_uuid: 'vast',
      hb_cache_host: 'edge.test',
      hb_cache_path: '/cache',
    });
    expect(keys({}, { cached: { ...cached, vastId: null } })).to.not.have.property('hb_uuid');
  });

  it('takes another prefix and another length, if they fit', () => {
    expect(keys({ prefix: 'pbs' })).to.have.property('pbs_pb', '1.80');
    expect(keys({ prefix: 'a_prefix_too_long' })).to.have.property('hb_pb', '1.80');
    expect(keys({ truncateattrchars: 12 })).to.have.property('hb_bidder_ad', 'adexchange');
    expect(keys({ truncateattrchars: -1 })).to.have.property('hb_bidder_adexchange');
  });
});
