import { expect } from 'chai';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Imp } from '#exchange/openrtb/fields/imp';
import { isRewarded, readSignals } from '#exchange/openrtb/signals';

const imp: Imp = { id: '1', banner: {} };
const schain = { complete: 1, ver: '1.0', nodes: [] } as const;

describe('signals', () => {
  const EXPECTED = {
    coppa: 1,
    gdpr: 1,
    consent: 'C',
    usPrivacy: '1YNN',
    gpp: 'DBAA',
    gppSid: [7],
    schain,
    eids: [{ source: 's' }],
  };

  const NEW_PLACES: BidRequest = {
    id: 'r',
    imp: [imp],
    regs: { coppa: 1, gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] },
    user: { consent: 'C', eids: [{ source: 's' }] },
    source: { schain },
  };
  it('are read from their 2.6 places', () => expect(readSignals(NEW_PLACES)).to.deep.equal(EXPECTED));

  const OLD_PLACES: BidRequest = {
    id: 'r',
    imp: [imp],
    regs: { coppa: 1, ext: { gdpr: 1, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [7] } },
    user: { ext: { consent: 'C', eids: [{ source: 's' }] } },
    source: { ext: { schain } },
  };
  it('are read from their 2.5 places', () => expect(readSignals(OLD_PLACES)).to.deep.equal(EXPECTED));

  it('count in their 2.6 place when they are in both', () => {
    const both: BidRequest = { id: 'r', imp: [imp], regs: { gdpr: 0, ext: { gdpr: 1 } } };
    expect(readSignals(both).gdpr).to.equal(0);
  });

  it('stay unknown when they are absent', () => {
    expect(Object.values(readSignals({ id: 'r', imp: [imp] })).every((value) => value === undefined)).to.equal(true);
  });

  for (const [rewarded, fields] of [
    [true, { rwdd: 1 }],
    [true, { ext: { rwdd: 1 } }],
    [true, { ext: { prebid: { is_rewarded_inventory: 1 } } }],
    [false, { rwdd: 0, ext: { rwdd: 1 } }],
    [false, { ext: { prebid: 'x' } }],
    [false, {}],
  ] as const) {
    it(`${rewarded ? 'reward' : 'do not reward'} ${JSON.stringify(fields)}`, () => {
      expect(isRewarded({ ...imp, ...fields })).to.equal(rewarded);
    });
  }
});
