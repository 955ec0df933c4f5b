import { expect } from 'chai';
import fc from 'fast-check';
import { ConsentEvaluator } from '#exchange/consent/consent-evaluator';
import { idValues } from '#exchange/consent/erase-ids';
import { privacySignals } from '#exchange/consent/privacy-signals';
import { allowsIds, type PrivacyTreatment } from '#exchange/consent/treatment';
import { truncateAddress } from '#exchange/consent/truncate-address';
import { BidRequestWriter } from '#exchange/openrtb/bid-request-writer';
import { redactForBidders, writeBidRequest } from '#exchange/openrtb/dialect';
import type { ExchangePolicy } from '#exchange/openrtb/exchange-policy';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { exchangeNode } from '#exchange/openrtb/supply-chain';
import { fullConsent } from '../../support/consent-strings.ts';

const TERMS = { tmaxMs: 100, blockedCategories: [], blockedDomains: [], contentGenre: null, floorCpmMicros: 0 };
const DIALECTS = ['2.5', '2.6'] as const;

function write(document: object, treatment: PrivacyTreatment, dialect: '2.5' | '2.6' = '2.6') {
  const request = redactForBidders(parseBidRequest(structuredClone(document)), treatment);
  return JSON.parse(writeBidRequest(request, dialect, { ...TERMS, treatment }));
}

const GEO = {
  lat: 52.520008,
  lon: -13.404954,
  accuracy: 5,
  country: 'DEU',
  region: 'BE',
  city: 'Berlin',
  zip: '10117',
  utcoffset: 60,
};
const REQUEST = {
  id: 'r',
  imp: [{ id: '1', banner: { w: 300, h: 250 } }],
  device: {
    ua: 'A Browser/1.0',
    ifa: '8F1C2AD0-1111-4222-8333-123456789ABC',
    didsha1: 'a'.repeat(40),
    dpidmd5: 'b'.repeat(32),
    macsha1: 'c'.repeat(40),
    ip: '203.0.113.77',
    ipv6: '2001:db8:1234:5678:9abc::1',
    geo: GEO,
    ext: { idfv: 'another-id', atts: 2 },
  },
  user: {
    id: 'user-id-12345',
    buyeruid: 'buyer-id-12345',
    yob: 2015,
    gender: 'F',
    keywords: 'toys',
    customdata: 'cookie-data',
    data: [{ id: 'segments' }],
    eids: [{ source: 'id.example', uids: [{ id: 'eid-value-12345' }] }],
    geo: GEO,
    ext: { consent: 'CONSENT', own: 'unknown-id' },
  },
};

describe('what is withheld', () => {
  it('is nothing where all is open, but for the id that the caller has of the viewer for us', () => {
    const { buyeruid: _, ...user } = REQUEST.user;
    expect(write(REQUEST, 'open')).to.deep.include({
      device: REQUEST.device,
      user: { ...user, ext: { own: 'unknown-id' }, consent: 'CONSENT' },
    });
  });

  it('is the exact place alone, without consent for that', () => {
    const { device, user } = write(REQUEST, 'coarse-geo');
    const coarse = { lat: 52.52, lon: -13.4, country: 'DEU', region: 'BE', city: 'Berlin', utcoffset: 60 };
    expect([device.geo, user.geo]).to.deep.equal([coarse, coarse]);
    expect(device).to.deep.include({ ifa: REQUEST.device.ifa, ip: REQUEST.device.ip, ext: REQUEST.device.ext });
    expect(user).to.deep.include({ id: REQUEST.user.id, eids: REQUEST.user.eids });
  });

  it('is every id, and the ends of addresses, where tracking is limited', () => {
    const { device, user } = write(REQUEST, 'limited');
    expect(device).to.deep.equal({
      ua: 'A Browser/1.0',
      ip: '203.0.113.0',
      ipv6: '2001:db8:1234::',
      geo: { lat: 52.52, lon: -13.4, country: 'DEU', region: 'BE', city: 'Berlin', utcoffset: 60 },
      ext: { atts: 2 },
    });
    expect(user).to.deep.equal({
      yob: 2015,
      gender: 'F',
      keywords: 'toys',
      geo: { lat: 52.52, lon: -13.4, country: 'DEU', region: 'BE', city: 'Berlin', utcoffset: 60 },
      consent: 'CONSENT',
    });
  });

  it('is what describes a child, and where it is, too', () => {
    const { device, user } = write(REQUEST, 'child', '2.5');
    expect(device.geo).to.deep.equal({ country: 'DEU', region: 'BE', utcoffset: 60 });
    expect(user).to.deep.equal({ geo: device.geo, ext: { consent: 'CONSENT' } });
  });

  it('is not missed elsewhere: page URLs and extensions repeat ids', () => {
    const { ifa } = REQUEST.device;
    const document = {
      ...REQUEST,
      site: { id: 's', page: `https://site.example/?ifa=${ifa.toLowerCase()}&uid=${REQUEST.user.id}` },
      ext: { [REQUEST.user.id]: 1, deep: [{ id: ifa, address: REQUEST.device.ip }] },
    };
    const { site, ext } = write(document, 'limited');
    expect(site.page).to.equal('https://site.example/?ifa=&uid=');
    expect(ext).to.deep.equal({ '': 1, deep: [{ id: '', address: '' }] });
  });

  it('leaves the caller’s document as it was', () => {
    const request = parseBidRequest(structuredClone(REQUEST));
    for (const dialect of DIALECTS)
      writeBidRequest(redactForBidders(request, 'child'), dialect, { ...TERMS, treatment: 'child' });
    expect(request).to.deep.equal(REQUEST);
  });

  for (const [address, truncated] of [
    ['203.0.113.77', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['2001:db8:1234:5678:9abc:def0:1234:5678', '2001:db8:1234::'],
    ['2001:db8::1', '2001:db8::'],
    ['2001:0DB8:0000:0001::1', '2001:db8:0::'],
    ['::1', '::'],
    ['fe80::1%eth0', undefined],
    ['203.0.113', undefined],
    ['::ffff:garbage', undefined],
    ['a browser', undefined],
    ['', undefined],
  ] as const) {
    it(`truncates ${address || 'nothing'} to ${truncated}`, () => expect(truncateAddress(address)).to.equal(truncated));
  }
});

/** An id that nothing else in a document is, or holds. */
const id = fc.uuid().map((uuid) => uuid.toUpperCase());
const oddId = fc.string({ minLength: 20, maxLength: 30, unit: 'grapheme' }).map((text) => `id-${text}-di`);
const anyId = fc.oneof(id, oddId);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const flag = fc.constantFrom(0 as const, 1 as const);
const eids = fc.array(
  fc.record({ source: fc.constant('id.example'), uids: fc.array(fc.record({ id: anyId }), { maxLength: 2 }) }),
  { maxLength: 2 },
);
const address = fc.ipV4().filter((ip) => ip.length >= 8 && !ip.endsWith('.0'));
const privacy = {
  gdpr: some(flag),
  us_privacy: some(fc.constantFrom('1YYN', '1YNN', 'x')),
  gpp: some(fc.constantFrom('DBABLA~BVQqAAAAAAA.QA', 'DBABLA~BVQVAAAAAAA.QA', 'x')),
  gpp_sid: some(fc.constantFrom([7], [2], [-1])),
};
const consent = some(fc.constantFrom('x', fullConsent(42), fullConsent(7)));
const requests = fc
  .record({
    device: fc.record({
      ifa: some(anyId),
      didsha1: some(anyId),
      didmd5: some(anyId),
      dpidsha1: some(anyId),
      dpidmd5: some(anyId),
      macsha1: some(anyId),
      macmd5: some(anyId),
      ip: some(address),
      lmt: some(flag),
      dnt: some(flag),
      ext: some(fc.dictionary(fc.constantFrom('idfv', 'session', 'atts'), anyId)),
    }),
    user: fc.record({
      id: some(anyId),
      buyeruid: some(anyId),
      customdata: some(anyId),
      consent,
      eids: some(eids),
      ext: some(fc.record({ eids: some(eids), consent, own: anyId })),
    }),
    regs: some(
      fc.record({
        coppa: some(flag),
        ...privacy,
        ext: some(fc.record({ ...privacy, gpc: some(fc.constantFrom('1', 0)) })),
      }),
    ),
    /** Where the ids of device and user stand once more. */
    repeated: fc.subarray(['page', 'ext', 'imp', 'source']),
  })
  .map(({ repeated, ...fields }) => {
    const document: Record<string, unknown> = JSON.parse(
      JSON.stringify({ id: 'r', imp: [{ id: '1', banner: {} }], ...fields }),
    );
    const values = idValues(document as never);
    const all = values.join('&');
    const places: Record<string, object> = {
      page: { site: { id: 's', page: `https://site.example/?${all}` } },
      ext: { ext: { nested: { list: values, [values[0] ?? 'none']: true } } },
      imp: { imp: [{ id: '1', banner: { ext: { of: all } }, tagid: all }] },
      source: { source: { tid: 't', ext: { note: all } } },
    };
    for (const place of repeated) Object.assign(document, places[place]);
    return document;
  });

describe('ids that are forbidden', () => {
  it('appear nowhere in what leaves, whatever the request and its signals', () => {
    const judge = new ConsentEvaluator({ vendorId: 42, truncateWithoutConsent: true });
    let forbidden = 0;
    fc.assert(
      fc.property(requests, fc.constantFrom(...DIALECTS), (document, dialect) => {
        const request = parseBidRequest(structuredClone(document));
        const { treatment } = judge.evaluate(privacySignals(request));
        const text = writeBidRequest(redactForBidders(request, treatment), dialect, { ...TERMS, treatment });
        const strings = [...stringsOf(JSON.parse(text))].join('\n').toLowerCase();
        const ids = idValues(request);
        if (allowsIds(treatment)) {
          if (request.device?.ifa) expect(strings).to.include(request.device.ifa.toLowerCase());
          return;
        }
        forbidden += 1;
        for (const value of [...ids, ...Object.values(request.device?.ext ?? {})]) {
          expect(strings, text).to.not.include(String(value).toLowerCase());
        }
      }),
      { numRuns: 600 },
    );
    expect(forbidden).to.be.above(150);
  });
});

describe('a writer of one request', () => {
  const terms: Omit<ExchangePolicy, 'treatment'> = {
    ...TERMS,
    buyerUid: 'id-of-the-viewer-at-a-buyer',
    seller: {
      id: 'a-seller',
      domain: 'seller.example',
      name: 'A seller',
      kind: 'web',
      owns: true,
      confidential: false,
      verified: true,
    },
    supplyChain: { node: exchangeNode('exchange.example', 'a-seller', 'r'), begunComplete: 1 },
  };

  it('writes what redacting first would, in every dialect and under every treatment', () => {
    let redacted = 0;
    fc.assert(
      fc.property(
        requests,
        fc.constantFrom<PrivacyTreatment>('open', 'coarse-geo', 'limited', 'child'),
        fc.shuffledSubarray([...DIALECTS, ...DIALECTS], { minLength: 1 }),
        (document, treatment, dialects) => {
          const request = parseBidRequest(structuredClone(document));
          const before = structuredClone(request);
          const writer = new BidRequestWriter(request, treatment);
          const whole = redactForBidders(request, treatment);
          for (const dialect of dialects) {
            expect(writer.write(dialect, terms)).to.equal(writeBidRequest(whole, dialect, { ...terms, treatment }));
          }
          if (/\?&+$/.test(whole.site?.page ?? '')) redacted += 1;
          expect(request).to.deep.equal(before);
        },
      ),
      { numRuns: 1_500 },
    );
    expect(redacted).to.be.above(20);
  });

  for (const [what, id] of [
    ['a quote', 'an "id" of it'],
    ['a backslash', 'an \\ id of it'],
    ['a line feed', 'an id\nof two'],
    ['capitals', 'ABCDEFGHIJKL'],
    ['half a surrogate pair', 'an id \ud800 of it'],
    ['letters beyond ASCII', 'ÄÖÜäöüß-İı-ſK'],
    ['more than is searched for', `${'x'.repeat(70)}y`],
  ] as const) {
    it(`finds an id with ${what} wherever it stands`, () => {
      for (const repeated of [id, id.toLowerCase(), `before ${id}`]) {
        const document = {
          id: 'r',
          imp: [{ id: '1', banner: {} }],
          device: { ifa: id },
          ext: { [repeated]: [repeated] },
        };
        const request = parseBidRequest(structuredClone(document));
        const whole = redactForBidders(request, 'limited');
        const text = new BidRequestWriter(request, 'limited').write('2.6', TERMS);
        expect(text).to.equal(writeBidRequest(whole, '2.6', { ...TERMS, treatment: 'limited' }));
        expect([...stringsOf(JSON.parse(text))].join('\n')).to.not.include(id.slice(0, 64));
      }
    });
  }
});

/** Every string of a document, names of fields too. */
function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    yield name;
    yield* stringsOf(field);
  }
}
