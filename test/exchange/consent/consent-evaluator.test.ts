import { GppModel } from '@iabgpp/cmpapi';
import { expect } from 'chai';
import { ConsentEvaluator } from '#exchange/consent/consent-evaluator';
import type { PrivacySignals } from '#exchange/consent/privacy-signals';
import { privacySignals } from '#exchange/consent/privacy-signals';
import { fullConsent, tcString } from '../../support/consent-strings.ts';

const OURS = 42;
const THEIRS = 43;
const judge = new ConsentEvaluator({ vendorId: OURS, truncateWithoutConsent: true });
const consent = fullConsent(OURS);
const optedOut = new GppModel();
optedOut.setFieldValue('usnat', 'SaleOptOut', 1);
const usnat = optedOut.encode();
/** A GPP string with the EU section alone. */
const gppOf = (...vendors: number[]) => `DBABMA~${fullConsent(...vendors)}`;

describe('ConsentJudge', () => {
  const cases: readonly [string, PrivacySignals, string, string[]][] = [
    ['nothing', {}, 'open', []],
    ['GDPR that does not apply', { gdpr: 0 }, 'open', []],
    ['GDPR that does not apply, whatever the string', { gdpr: 0, consent: tcString({}) }, 'open', []],
    ['GDPR and no consent', { gdpr: 1 }, 'limited', ['gdpr']],
    ['GDPR and an empty string', { gdpr: 1, consent: '' }, 'limited', ['gdpr']],
    ['GDPR and a malformed string', { gdpr: 1, consent: 'C~!' }, 'limited', ['gdpr']],
    ['GDPR and consent to another', { gdpr: 1, consent: fullConsent(THEIRS) }, 'limited', ['gdpr']],
    ['GDPR and consent', { gdpr: 1, consent }, 'open', []],
    [
      'GDPR and consent, but for the exact place',
      { gdpr: 1, consent: tcString({ vendors: [OURS], purposes: [1, 2] }) },
      'coarse-geo',
      ['gdpr-precise-geo'],
    ],
    ['a TC string without gdpr', { consent: fullConsent(THEIRS) }, 'limited', ['gdpr']],
    ['TCF in force by GPP', { gppSid: [2] }, 'limited', ['gdpr']],
    ['a TC string in GPP, with nothing said to be in force', { gpp: gppOf(THEIRS) }, 'limited', ['gdpr']],
    ['consent in GPP, with nothing said to be in force', { gpp: gppOf(OURS) }, 'open', []],
    ['a TC string in GPP where GDPR does not apply', { gdpr: 0, gpp: gppOf(THEIRS) }, 'open', []],
    ['a TC string in GPP where another section is in force', { gpp: gppOf(THEIRS), gppSid: [7] }, 'open', []],
    ['a TC string in GPP with an empty list of sections', { gpp: gppOf(THEIRS), gppSid: [] }, 'limited', ['gdpr']],
    ['consent in GPP', { gpp: gppOf(OURS), gppSid: [2] }, 'open', []],
    ['a TC string of a section that is not in force', { gpp: gppOf(THEIRS), gppSid: [-1] }, 'open', []],
    ['an opt-out of sale', { usPrivacy: '1YYN' }, 'limited', ['us-privacy']],
    ['no opt-out of sale', { usPrivacy: '1YNN' }, 'open', []],
    ['no answer about sale', { usPrivacy: '1---' }, 'open', []],
    ['a US string that is none', { usPrivacy: 'YYYY' }, 'open', []],
    ['an opt-out by GPP', { gpp: usnat, gppSid: [7] }, 'limited', ['gpp']],
    ['an opt-out by GPP, with nothing said to be in force', { gpp: usnat }, 'limited', ['gpp']],
    ['an opt-out by GPP with an empty list of sections', { gpp: usnat, gppSid: [] }, 'limited', ['gpp']],
    ['an opt-out by a section that is not in force', { gpp: usnat, gppSid: [8] }, 'open', []],
    ['malformed GPP', { gpp: 'DBABLA', gppSid: [7] }, 'open', []],
    ['Global Privacy Control', { globalPrivacyControl: true }, 'limited', ['gpc']],
    ['limited tracking', { limitsTracking: true }, 'limited', ['limited-tracking']],
    ['an opt-out of the exchange', { optedOut: true }, 'limited', ['opt-out']],
    ['a child', { coppa: 1 }, 'child', ['coppa']],
    ['a child with consent', { coppa: 1, gdpr: 1, consent }, 'child', ['coppa']],
    ['several', { coppa: 1, gdpr: 1, usPrivacy: '1YYN' }, 'child', ['gdpr', 'us-privacy', 'coppa']],
  ];
  for (const [what, signals, treatment, reasons] of cases) {
    it(`takes ${what} for ${treatment}`, () => expect(judge.evaluate(signals)).to.deep.equal({ treatment, reasons }));
  }

  it('without a vendor id of the exchange, knows no consent to it', () => {
    const nobody = new ConsentEvaluator({ vendorId: null, truncateWithoutConsent: true });
    expect(nobody.evaluate({ gdpr: 1, consent }).treatment).to.equal('limited');
  });

  it('configured not to truncate, does not for GDPR; what is on a device stays forbidden', () => {
    const lax = new ConsentEvaluator({ vendorId: OURS, truncateWithoutConsent: false });
    expect(lax.evaluate({ gdpr: 1 }).treatment).to.equal('open');
    expect(lax.evaluate({ gdpr: 1, usPrivacy: '1YYN' }).reasons).to.deep.equal(['us-privacy']);
    expect(lax.allowsExchange({ gdpr: 1 })).to.equal(false);
    expect(lax.allowsExchange({ gdpr: 1, consent })).to.equal(true);
    expect(lax.allowsExchange({ gpp: gppOf(THEIRS) })).to.equal(false);
  });

  it('judges a vendor by its own consent, where its id is known', () => {
    expect(judge.allowsVendor({ gdpr: 1, consent }, THEIRS)).to.equal(false);
    expect(judge.allowsVendor({ gdpr: 1, consent: fullConsent(OURS, THEIRS) }, THEIRS)).to.equal(true);
    expect(judge.allowsVendor({ gdpr: 1, consent }, null)).to.equal(true);
    expect(judge.allowsVendor({}, THEIRS)).to.equal(true);
    expect(judge.allowsVendor({ gpp: gppOf(OURS) }, THEIRS)).to.equal(false);
    expect(judge.allowsVendor({ gpp: gppOf(OURS, THEIRS) }, THEIRS)).to.equal(true);
  });

  it('says the same of a string again', () => {
    const again = () => judge.evaluate({ gpp: usnat, gppSid: [7] });
    expect(again()).to.deep.equal(again());
  });

  const imp = [{ id: '1', banner: {} }];
  for (const [what, fields] of [
    ['lmt', { device: { lmt: 1 } }],
    ['dnt', { device: { dnt: 1 } }],
    ['gpc in regs.ext', { regs: { ext: { gpc: '1' } } }],
    ['US Privacy of 2.5', { regs: { ext: { us_privacy: '1YYN' } } }],
    ['US Privacy of 2.6', { regs: { us_privacy: '1YYN' } }],
    ['GPP of 2.5', { regs: { ext: { gpp: usnat, gpp_sid: [7] } } }],
    ['GPP of 2.6', { regs: { gpp: usnat, gpp_sid: [7] } }],
    ['GDPR of 2.5', { regs: { ext: { gdpr: 1 } }, user: { ext: { consent: fullConsent(THEIRS) } } }],
    ['GDPR of 2.6', { regs: { gdpr: 1 }, user: { consent: fullConsent(THEIRS) } }],
    ['COPPA', { regs: { coppa: 1 } }],
  ] as const) {
    it(`recognises ${what} in a request`, () => {
      expect(judge.evaluate(privacySignals({ id: 'r', imp, ...fields })).reasons).to.have.length(1);
      expect(judge.evaluate(privacySignals({ id: 'r', imp })).reasons).to.have.length(0);
    });
  }
});
