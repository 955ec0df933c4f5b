import { privacySignals } from '#exchange/consent/privacy-signals';
import { withoutPersonalData } from '#exchange/consent/without-personal-data';
import { identityMismatch } from '#exchange/fraud/identity';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { BidRequestWriter } from '#exchange/openrtb/bid-request-writer';
import { redactForBidders, writeBidRequest } from '#exchange/openrtb/dialect';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';

const viewer = {
  device: {
    ua: 'Mozilla/5.0',
    ip: '203.0.113.7',
    ifa: '8f1c2ad0-1111-4222-8333-123456789abc',
    geo: { lat: 1.5, lon: 2 },
  },
  user: { id: 'user-4711-id', eids: [{ source: 'id.example', uids: [{ id: 'eid-4711-value', atype: 1 }] }] },
  regs: { gdpr: 1, ext: { gpc: '1' } },
};
const slots = { video: { mimes: ['video/mp4'], poddur: 60, maxseq: 5, rqddurs: [15, 30], durfloors: [{ mindur: 1 }] } };
const native = { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, title: { len: 90 } }] }) };

export const bidRequestSamples = [
  {
    id: 'r',
    imp: [{ id: '1', banner: { w: 300, h: 250 } }],
    site: { id: 'p', domain: 'a.test', page: 'https://a.test/' },
  },
  {
    id: 'r',
    imp: [{ id: '1', ...slots, pmp: { deals: [{ id: 'd', bidfloor: 1, at: 3 }] } }],
    app: { id: 'p' },
    ...viewer,
  },
  {
    id: 'r',
    imp: [{ id: '1', native, secure: 1, bidfloor: 0.5, bidfloorcur: 'USD' }],
    dooh: { id: 'p' },
    badv: ['b.test'],
  },
  {
    id: 'r',
    imp: [{ id: '1', audio: { mimes: ['audio/mpeg'] }, ext: { rwdd: 1 } }],
    source: { ext: { schain: { nodes: [] } } },
  },
].map((document) => JSON.stringify(document));

const IDENTITY = { domain: 'a.test', identities: ['com.example.app', '1234567890'] };
const TERMS = {
  tmaxMs: 100,
  blockedCategories: ['IAB7'],
  blockedDomains: ['c.test'],
  contentGenre: 'drama',
  floorCpmMicros: 1,
};

/**
 * As an edge does: reads it, judges it, writes it for bidders and for the record. What was written can be read again.
 */
export function readBidRequest(text: string): void {
  const request = parsed(text);
  if (request === null) return;
  privacySignals(request);
  identityMismatch(request, IDENTITY);
  for (const treatment of ['open', 'child'] as const) {
    const offered = redactForBidders(request, treatment);
    const writer = new BidRequestWriter(request, treatment);
    for (const dialect of ['2.5', '2.6'] as const) {
      const text = writer.write(dialect, TERMS);
      JSON.parse(text);
      if (text !== writeBidRequest(offered, dialect, { ...TERMS, treatment })) throw new Error('written otherwise');
    }
    withoutPersonalData(request, treatment);
  }
}

function parsed(text: string): BidRequest | null {
  try {
    return parseBidRequest(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InvalidBidRequest || error instanceof InvalidFloor)
      return null;
    throw error;
  }
}
