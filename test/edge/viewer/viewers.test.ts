import { expect } from 'chai';
import { withMatch, writeViewerCookie } from '#edge/viewer/viewer-cookie';
import { Viewers } from '#edge/viewer/viewers';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { systemClock } from '#runtime/providers/system/system-clock';
import { fullConsent } from '../../support/consent-strings.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';
import { MemoryReplica } from '../../support/memory-replica.ts';

const OURS = 42;
const THEIRS = 43;
const IFA = '8f1c2ad0-1111-4222-8333-123456789abc';
const ZEROS = '00000000-0000-0000-0000-000000000000';
const USER_ID = 'abcdefghijklmnopqrstuv';
const imp = [{ id: '1', banner: {} }];
const at = { ua: 'A Browser/1.0', ip: '203.0.113.7' };

function viewersOf(secretKey = 'a secret') {
  const replica = new MemoryReplica();
  replica.put('dsp', makeDspProjection({ id: 'dsp-1', endpointUrl: 'https://one.test/' }));
  replica.put('dsp', makeDspProjection({ id: 'dsp-2', endpointUrl: 'https://two.test/', tcfVendorId: THEIRS }));
  return new Viewers({ privacy: { vendorId: OURS, truncateWithoutConsent: true }, secretKey }, replica, systemClock);
}

const viewers = viewersOf();
const request = (fields: object = {}): BidRequest => ({ id: 'r', imp, ...fields });
const keyOf = (fields: object = {}, cookies?: string, from = viewers) =>
  from.identify(request(fields), { cookies, globalPrivacyControl: false }).viewer.deviceKey;

/** The cookie of a viewer whom both buyers know. */
function matchedCookie(): string {
  const nowMs = systemClock.now();
  let cookie = { userId: USER_ID, optedOut: false, matches: [] as const } as Parameters<typeof withMatch>[0];
  for (const dspId of ['dsp-1', 'dsp-2']) {
    cookie = withMatch(cookie, viewers.partners.byId(dspId)!.key, `uid of ${dspId}`.replaceAll(' ', '-'), nowMs);
  }
  return `other=1; ${writeViewerCookie(cookie, true).split(';')[0]}; more=2`;
}

/** What platforms and players send where there is no id. */
const NO_IDS = ['-1', '-2', 'null', 'undefined', '[DEVICE_IFA]', '%%ADVERTISING_ID%%'];

describe('viewers', () => {
  describe('the key of a device', () => {
    it('is by its advertising id, however that is written, and tells nothing of it', () => {
      const key = keyOf({ device: { ifa: IFA, ...at } });
      expect(key)
        .to.match(/^[\w-]{22}$/)
        .and.not.equal(IFA);
      expect(keyOf({ device: { ifa: IFA.toUpperCase() } })).to.equal(key);
      expect(keyOf({ device: { ifa: IFA } }, matchedCookie())).to.equal(key);
    });

    it('is by the cookie where there is no advertising id', () => {
      const key = keyOf({ device: at }, matchedCookie());
      expect(key).to.be.a('string');
      expect(keyOf({ device: { ...at, ua: 'another' } }, matchedCookie())).to.equal(key);
      expect(keyOf({ device: { ifa: ZEROS, ...at } }, matchedCookie())).to.equal(key);
    });

    for (const device of [
      undefined,
      {},
      { ip: '203.0.113.7' },
      { ua: 'x' },
      at,
      { ...at, ifa: '' },
      { ifa: ZEROS },
      ...NO_IDS.map((ifa) => ({ ifa })),
    ]) {
      it(`is none of ${JSON.stringify(device)}`, () => expect(keyOf({ device })).to.equal(null));
    }

    it('is the same at every edge of an exchange, and another at another exchange', () => {
      const device = { ifa: IFA };
      expect(keyOf({ device }, undefined, viewersOf())).to.equal(keyOf({ device }));
      expect(keyOf({ device }, undefined, viewersOf('another secret'))).to.not.equal(keyOf({ device }));
    });

    for (const [what, fields] of [
      ['GDPR without consent', { regs: { gdpr: 1 } }],
      ['limited tracking', { device: { ...at, ifa: IFA, lmt: 1 } }],
      ['a child', { regs: { coppa: 1 } }],
      ['an opt-out of sale', { regs: { us_privacy: '1YYN' } }],
    ] as const) {
      it(`is none with ${what}`, () => {
        const { viewer, privacy } = viewers.identify(request({ device: { ...at, ifa: IFA }, ...fields }), {
          cookies: matchedCookie(),
          globalPrivacyControl: false,
        });
        expect([viewer.deviceKey, viewer.userId, viewer.buyerUids.size]).to.deep.equal([null, null, 0]);
        expect(privacy.reasons).to.have.length(1);
      });
    }
  });

  describe('a browser', () => {
    const see = (fields: object, cookies: string | undefined, globalPrivacyControl = false) =>
      viewers.identify(request({ device: at, ...fields }), { cookies, globalPrivacyControl });

    it('is known to buyers by what its cookie holds', () => {
      const { viewer } = see({}, matchedCookie());
      expect(viewer.userId).to.equal(USER_ID);
      expect([...viewer.buyerUids]).to.have.deep.members([
        ['dsp-1', 'uid-of-dsp-1'],
        ['dsp-2', 'uid-of-dsp-2'],
      ]);
    });

    it('is known under GDPR to those that it consented to', () => {
      const gdpr = (...vendors: number[]) => [
        ...see(
          { regs: { gdpr: 1 }, user: { consent: fullConsent(...vendors) } },
          matchedCookie(),
        ).viewer.buyerUids.keys(),
      ];
      expect(gdpr(OURS)).to.deep.equal(['dsp-1']);
      expect(gdpr(OURS, THEIRS)).to.have.members(['dsp-1', 'dsp-2']);
      expect(gdpr(THEIRS)).to.deep.equal([]);
    });

    it('is unknown with Global Privacy Control, or once it opted out', () => {
      const optedOut = writeViewerCookie({ userId: null, optedOut: true, matches: [] }, true).split(';')[0];
      for (const [seen, reason] of [
        [see({}, matchedCookie(), true), 'gpc'],
        [see({}, optedOut), 'opt-out'],
      ] as const) {
        expect(seen.privacy.reasons).to.deep.equal([reason]);
        expect([seen.viewer.userId, seen.viewer.deviceKey, seen.viewer.buyerUids.size]).to.deep.equal([null, null, 0]);
      }
    });

    for (const cookies of [
      undefined,
      '',
      'viewer=',
      'viewer=x/y/z',
      `viewer=${'x'.repeat(9_000)}`,
      'viewer="%"',
      '=;=',
    ]) {
      it(`is unknown by the cookie ${String(cookies).slice(0, 20)}`, () => {
        expect(see({}, cookies).viewer.userId).to.equal(null);
      });
    }

    it('keeps what can be read of a cookie that was tampered with', () => {
      const cookies = `${matchedCookie().replace('; more=2', '')}/short:1:x/${'k'.repeat(8)}:zz:%E0%A4%A/`;
      expect([...see({}, cookies).viewer.buyerUids.keys()]).to.have.members(['dsp-1', 'dsp-2']);
    });
  });
});
