// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros

import { runAuction } from '#edge/auction/auction-run';
import { TrackingMint } from '#edge/tracking/mint';
import { UNKNOWN_VIEWER } from '#edge/viewer/viewer';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { parseBidResponse } from '#exchange/openrtb/parse-bid-response';
import { bidResponse } from '#gateways/edge/openrtb/bid-response';

const VAST =
  '<VAST version="3.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>b</AdTitle><Creatives/></InLine></Ad></VAST>';

export const bidResponseSamples = [
  bidOf({ impid: 'banner', adm: '<b>ad</b>', w: 300, h: 250, adomain: ['a.test'], crid: 'c' }),
  bidOf({ impid: 'video', adm: VAST, mtype: 2, dur: 15, cat: ['IAB1'], slotinpod: 1, nurl: 'https://d.test/' }),
  bidOf({
    impid: 'native',
    adm: '{"native":{"assets":[],"eventtrackers":[]}}',
    burl: 'https://d.test/?${AUCTION_PRICE}',
  }),
  JSON.stringify({ id: 'r', seatbid: [{ bid: [], group: 1 }], nbr: 2 }),
];

function bidOf(fields: object): string {
  const bid = { id: '1', price: 2.5, ...fields };
  return JSON.stringify({
    id: 'r',
    bidid: 'b',
    cur: 'USD',
    seatbid: [{ seat: 's', group: 0, bid: [bid, { ...bid, id: '2' }] }],
  });
}

const REQUEST: BidRequest = {
  id: 'r',
  imp: [
    { id: 'banner', banner: { w: 300, h: 250 }, secure: 1 },
    { id: 'video', video: { mimes: ['video/mp4'], poddur: 60, maxseq: 4 } },
    { id: 'native', native: { request: '{"assets":[{"id":1,"title":{"len":90}}]}' } },
  ],
  badv: ['bad.test'],
  bcat: ['IAB7'],
};

const mint = new TrackingMint({ secretKey: 'a secret of the fuzzers', publicEdgeUrl: 'https://edge.test' });

/** As an edge does: reads it, holds the auction, prepares what was won and writes the answer. */
export function readBidResponse(text: string): void {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return;
  }
  const reading = parseBidResponse(document, REQUEST.id);
  if (reading.outcome !== 'bids') return;
  const { sold } = runAuction([{ dspId: 'd', ...reading }], {
    auction: {
      request: REQUEST,
      publisher: { id: 'p', partnerId: null, floorCpmMicros: 0, blockedCategories: [], blockedDomains: [] },
      pool: null,
      sandbox: false,
      viewer: UNKNOWN_VIEWER,
    },
    region: 'fra',
    blockedCategories: [],
    nowMs: 0,
    random: () => 0,
    mint,
    creatives: new Map(),
    render: () => ({ ok: false, refused: 'format-not-offered' }),
    edgeUrl: 'https://edge.test',
    failed: (error) => {
      throw error;
    },
  });
  JSON.stringify(bidResponse(REQUEST.id, sold, mint, { renderWindowMs: 3_600_000, toPage: true }));
}
