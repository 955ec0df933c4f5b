import { expect } from 'chai';
import { writeBidRequest } from '#exchange/openrtb/dialect';
import { InvalidBidRequest } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { describeCollected } from './collected-requests.ts';

/** What Prebid Server refuses and OpenRTB 2.6 allows. */
const ALLOWED_BY_THE_STANDARD: Readonly<Record<string, string>> = {
  'banner-no-size.json': 'w, h and format are recommended, not required (§3.2.6)',
  'banner-h-only.json': 'h is recommended when there is no format; neither it nor w requires the other (§3.2.6)',
  'banner-w-only.json': 'w is recommended when there is no format; neither it nor h requires the other (§3.2.6)',
  'format-empty-array.json': 'a list of no formats names no size, and sizes are recommended, not required (§3.2.6)',
  'interstitial-empty.json': 'as a banner without a size; the percentages are an extension of Prebid (§3.2.6)',
  'no-site-or-app-or-dooh.json':
    'site, app and dooh are recommended, not required (§3.2.1); the edge refuses it for want of a publisher',
  'preferred-media-type-not-defined.json': 'breaks a rule of an extension of Prebid alone',
};

/** What the old traffic breaks, where it does. */
const BROKEN_TRAFFIC: Readonly<Record<string, string>> = {
  'numbers-as-strings.json': 'at',
  'bad-cappture.json': 'imp[0].banner.wmax',
  'fyberMobileInApp.json': 'imp[0].video.mimes',
  'msie.json': 'imp[0].secure',
  'nexageNativeContentStreamWithVideo.json': 'imp[0].native.request',
};

const PLAIN_TERMS = {
  tmaxMs: 100,
  blockedCategories: [],
  blockedDomains: [],
  contentGenre: null,
  floorCpmMicros: 0,
};

function accept(document: unknown): void {
  const before = structuredClone(document);
  const request = parseBidRequest(document);
  for (const dialect of ['2.5', '2.6'] as const) {
    const written = JSON.parse(writeBidRequest(request, dialect, PLAIN_TERMS));
    expect(written).to.deep.include({ id: request.id, tmax: 100, at: 1, cur: ['USD'] });
    // What the exchange writes, the exchange reads.
    parseBidRequest(written);
  }
  expect(JSON.parse(JSON.stringify(request))).to.deep.equal(before);
}

function refusalOf(document: unknown): InvalidBidRequest {
  try {
    parseBidRequest(document);
  } catch (error) {
    if (error instanceof InvalidBidRequest) return error;
    throw error;
  }
  throw new Error('the request was accepted');
}

describeCollected('valid', (requests) => {
  for (const { file, document } of requests) it(`accepts ${file}`, () => accept(document));
});

describeCollected('invalid', (requests, from) => {
  for (const { file, document } of requests) {
    const { request } = document as { request: unknown };
    const allowed = ALLOWED_BY_THE_STANDARD[file];
    if (allowed !== undefined) {
      it(`accepts ${file}: ${allowed}`, () => accept(request));
    } else {
      it(`refuses ${file}`, () => expect(refusalOf(request).path).to.match(/^[a-z]/));
    }
  }

  if (from === 'collected') {
    it('holds every request that is said to be allowed', () => {
      expect(requests.map(({ file }) => file)).to.include.members(Object.keys(ALLOWED_BY_THE_STANDARD));
    });
  }
});

describeCollected('traffic', (requests) => {
  for (const { file, document } of requests) {
    const broken = BROKEN_TRAFFIC[file];
    if (broken === undefined) it(`accepts ${file}`, () => accept(document));
    else it(`refuses ${file} for ${broken}`, () => expect(refusalOf(document).path).to.equal(broken));
  }
});
