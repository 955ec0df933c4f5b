import { createHmac, hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseIp } from '#edge/addresses/ip-address';
import { CapCipher } from '#edge/tracking/cap-seal';
import { TrackingMint } from '#edge/tracking/mint';
import { signedQuery } from '#edge/tracking/query';
import { type RequestOrigin, UNKNOWN_ORIGIN } from '#edge/tracking/request-origin';
import { MacKey } from '#edge/tracking/signature';
import { newTrackingId } from '#edge/tracking/tracking-id';
import { TrackingVerifier, type Verified } from '#edge/tracking/verify';
import { aSale } from './a-sale.ts';

const [OLD, NEW, OTHER] = ['the secret of last year', 'the secret of this year', 'the secret of somebody else'];
const mintOf = (secretKey: string) => new TrackingMint({ secretKey, publicEdgeUrl: '' });
const mint = mintOf(NEW);
const verifier = new TrackingVerifier({ secretKey: NEW });
const queryOf = (url: string) => url.slice(url.indexOf('?') + 1);

const ORIGIN: RequestOrigin = {
  hasDevice: true,
  isKeyed: true,
  isTag: false,
  isVerified: true,
  family: 'apple',
  country: 'DEU',
  deviceAddress: parseIp('198.51.100.77'),
  askerAddress: parseIp('2001:db8:1:2::5'),
};

function verified(query: string, by = verifier): Verified {
  const verification = by.verify('impression', query);
  if (!verification.ok) throw new Error(`the URL is ${verification.reason}`);
  return verification;
}

/** As release 0.4 signed it: no key id, no origin, one URL for both channels. */
function urlOf04(secretKey: string, capped = false): string {
  const sale = aSale({ campaignId: 'campaign-1' });
  const trackingId = newTrackingId();
  const cap = capped ? new CapCipher(secretKey).seal({ deviceKey: 'device-1', windowHours: 24 }, trackingId) : null;
  const text = signedQuery(sale, null, cap, `${sale.issuedAtMs.toString(36)}.${trackingId}`);
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'tracking/impression/1', 32));
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)}`;
}

describe('the two channels of a tracking URL', () => {
  it('are distinguishable, and name one impression', () => {
    const { url, billingUrl, trackingId } = mint.mintTracking(aSale());
    expect(verified(queryOf(url))).to.include({ channel: 'client', trackingId });
    expect(verified(queryOf(billingUrl))).to.include({ channel: 'server', trackingId });
  });

  it('cannot be derived from one another with only the markup', () => {
    const [one, other] = [mint.mintTracking(aSale()), mint.mintTracking(aSale())];
    const proof = new URLSearchParams(queryOf(other.billingUrl)).get('burl')!;
    const mac = queryOf(one.url).slice(-22);
    const guesses = [proof, mac, one.trackingId, '', 'x', 'é'.repeat(22), proof.toLowerCase()];
    for (const guess of guesses) {
      const outcome = verifier.verify('impression', `${queryOf(one.url)}&burl=${encodeURIComponent(guess)}`);
      expect(outcome, guess).to.deep.equal({ ok: false, reason: 'altered' });
    }
    const own = queryOf(one.billingUrl);
    expect(verifier.verify('impression', `${own}&burl=x`).ok).to.equal(false);
  });

  it('are no longer than sixty characters more than those of 0.4', () => {
    const { url, billingUrl } = mint.mintTracking(aSale({ campaignId: 'campaign-1' }), newTrackingId(), ORIGIN);
    expect(queryOf(url).length - urlOf04(NEW).length).to.be.at.most(40);
    expect(billingUrl.length - url.length).to.be.at.most(30);
  });
});

describe('the origin in a tracking URL', () => {
  it('says of the request what it was, and of addresses only whether another is the same', () => {
    const { url } = mint.mintTracking(aSale(), newTrackingId(), ORIGIN);
    const origin = verified(queryOf(url)).origin!;
    expect(origin).to.include({
      hasDevice: true,
      isKeyed: true,
      isTag: false,
      isVerified: true,
      family: 'apple',
      country: 'DEU',
    });
    const at = (text: string) => parseIp(text)!;
    expect(origin.isInNetwork(at('198.51.100.1'))).to.equal(true);
    expect(origin.isInNetwork(at('198.51.101.77'))).to.equal(false);
    expect(origin.isAsker(at('2001:db8:1:2:ffff::'))).to.equal(true);
    expect(origin.isAsker(at('2001:db8:1:3::5'))).to.equal(false);
    expect(origin.isAsker(at('198.51.100.77'))).to.equal(false);
  });

  it('survives whatever it is made of', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => parseIp(text));
    const origins = fc.record({
      ...{ hasDevice: fc.boolean(), isKeyed: fc.boolean(), isTag: fc.boolean(), isVerified: fc.boolean() },
      family: fc.constantFrom('windows', 'apple', 'linux', 'roku', 'playstation', 'nintendo', null),
      country: fc.constantFrom('DEU', 'ARE', 'ZWE', null),
      ...{ deviceAddress: address, askerAddress: fc.option(address) },
    }) as fc.Arbitrary<RequestOrigin>;
    fc.assert(
      fc.property(origins, (given) => {
        const { url } = mint.mintTracking(aSale(), newTrackingId(), given);
        const { origin } = verified(queryOf(url));
        const { deviceAddress, askerAddress, ...plain } = given;
        expect(origin).to.include(plain);
        expect(origin!.isInNetwork(deviceAddress ?? { v4: 1 })).to.equal(deviceAddress === null ? null : true);
        expect(origin!.isAsker(askerAddress ?? { v4: 1 })).to.equal(askerAddress === null ? null : true);
      }),
    );
  });

  it('is unknown where nothing was given, and none can be read or compared by others', () => {
    const [one, other] = [1, 2].map(() => mint.mintTracking(aSale(), newTrackingId(), ORIGIN).url);
    const capOf = (url: string) => new URLSearchParams(queryOf(url)).get('cap')!.slice(5);
    expect(capOf(one!)).not.to.equal(capOf(other!));
    const raw = Buffer.from(capOf(one!), 'base64url').toString('latin1');
    expect(raw).not.to.include('DEU');
    const { origin } = verified(queryOf(mint.mintTracking(aSale()).url));
    const { deviceAddress: _, askerAddress: __, ...unknown } = UNKNOWN_ORIGIN;
    expect(origin).to.include(unknown);
  });

  it('is bound by the signature with all else', () => {
    const parameters = new URLSearchParams(queryOf(mint.mintTracking(aSale(), newTrackingId(), ORIGIN).url));
    const cap = parameters.get('cap')!;
    for (let at = 0; at < cap.length; at++) {
      const changed = cap.slice(0, at) + (cap[at] === 'A' ? 'B' : 'A') + cap.slice(at + 1);
      parameters.set('cap', changed);
      expect(verifier.verify('impression', parameters.toString()).ok, `character ${at}`).to.equal(false);
    }
    parameters.delete('cap');
    expect(verifier.verify('impression', parameters.toString()).ok, 'without it').to.equal(false);
  });
});

describe('the keys of tracking URLs', () => {
  const overlapping = new TrackingVerifier({ secretKey: NEW, previousSecretKeys: [OLD] });

  it('name themselves, so that earlier ones hold until they are taken away', () => {
    const ids = [OLD, NEW].map((secret) =>
      new URLSearchParams(queryOf(mintOf(secret).mintTracking(aSale()).url)).get('cap')!.slice(1, 5),
    );
    expect(ids[0]).not.to.equal(ids[1]);
    for (const secret of [OLD, NEW]) {
      const capped = { deviceKey: 'device-1', windowHours: 24 };
      const { url, billingUrl } = mintOf(secret).mintTracking(aSale({ campaignId: 'campaign-1', capped }));
      expect(verified(queryOf(url), overlapping).sale.capped).to.deep.equal(capped);
      expect(verified(queryOf(billingUrl), overlapping).channel).to.equal('server');
    }
    expect(verifier.verify('impression', queryOf(mintOf(OLD).mintTracking(aSale()).url)).ok).to.equal(false);
    expect(overlapping.verify('impression', queryOf(mintOf(OTHER).mintTracking(aSale()).url)).ok).to.equal(false);
  });

  it('verify wins of each of them, with and without a win notice', () => {
    for (const secret of [OLD, NEW]) {
      for (const notice of [null, 'https://dsp.test/nurl']) {
        const url = mintOf(secret).mintWin(aSale(), newTrackingId(), notice);
        expect(overlapping.verify('win', queryOf(url))).to.include({ ok: true, noticeUrl: notice });
      }
      const { quietWinUrl } = mintOf(secret).mintTracking(aSale());
      expect(overlapping.verify('win', queryOf(quietWinUrl!)).ok).to.equal(true);
    }
  });

  it('verify what release 0.4 has signed, which names no key, with any of them', () => {
    for (const secret of [OLD, NEW]) {
      const plain = verified(urlOf04(secret), overlapping);
      expect(plain).to.include({ channel: null, origin: null });
      const capped = verified(urlOf04(secret, true), overlapping);
      expect(capped.sale.capped).to.deep.equal({ deviceKey: 'device-1', windowHours: 24 });
    }
    expect(overlapping.verify('impression', urlOf04(OTHER)).ok).to.equal(false);
  });

  it('sign what release 0.4 takes: the same HMAC of all that the URL says', () => {
    const query = queryOf(mint.mintTracking(aSale({ crid: 'ä & b' }), newTrackingId(), ORIGIN).url);
    const [text, mac] = [query.slice(0, -23), query.slice(-22)];
    const key = Buffer.from(hkdfSync('sha256', NEW, '', 'tracking/impression/1', 32));
    expect(createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)).to.equal(mac);
  });

  it('sign what release 0.4 takes where they name a win, which it does not know', () => {
    const notices = { billingNoticeUrl: 'https://dsp.test/burl?a=1', winNoticeUrl: 'https://dsp.test/nurl?b=1' };
    const { url, billingUrl } = mint.mintTracking(aSale({ ...notices, audio: true }), newTrackingId(), ORIGIN);
    const known = 'id pub partner dsp price campaign cap crid region sandbox audio notice'.split(' ');
    const key = Buffer.from(hkdfSync('sha256', NEW, '', 'tracking/impression/1', 32));
    for (const each of [url, billingUrl]) {
      const parameters = new URLSearchParams(queryOf(each));
      const [issued, trackingId, mac] = parameters.get('t')!.split('.');
      const said = known.filter((name) => parameters.has(name));
      const text = said.map((name) => `${name}=${encodeURIComponent(parameters.get(name)!)}`).join('&');
      const signed = createHmac('sha256', key).update(`${text}&t=${issued}.${trackingId}`).digest('base64url');
      expect(signed.slice(0, 22)).to.equal(mac);
    }
  });

  it('reckon the HMAC of RFC 2104, of texts short and long', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.string({ unit: 'grapheme', maxLength: 4_000 }),
        (key, text) => {
          const expected = createHmac('sha256', key).update(text).digest('base64url');
          expect(new MacKey(Buffer.from(key)).digest(text)).to.equal(expected);
        },
      ),
    );
    const long = 'x'.repeat(20_000);
    expect(new MacKey(Buffer.from('k')).digest(long)).to.equal(
      createHmac('sha256', 'k').update(long).digest('base64url'),
    );
  });
});
