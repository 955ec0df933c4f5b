import { expect } from 'chai';
import fc from 'fast-check';
import { decideAuction } from '#exchange/auction/auction';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { parseBidResponse } from '#exchange/openrtb/parse-bid-response';
import { mutate, mutation, type Node, WHOLE_REQUEST } from '../openrtb/mutations.ts';

const VAST =
  '<VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://a.example/i</Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://a.example/m.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>';
const NATIVE = '{"native":{"assets":[{"id":1,"title":{"text":"T"}}],"link":{"url":"https://a.example"}}}';

/** Bids for each kind of ad that have a bit of everything. */
const WHOLE_BIDS = {
  id: 'r',
  cur: 'USD',
  bidid: 'x',
  seatbid: [
    {
      seat: 's',
      bid: [
        {
          ...{ id: 'b', impid: '1', price: 3, adm: '<a href="https://a.example">a</a>', adomain: ['a.example'] },
          ...{
            cat: ['IAB2'],
            cattax: 1,
            bundle: 'x',
            attr: [9],
            apis: [5],
            language: 'en',
            crid: 'c',
            cid: 'd',
            w: 300,
            h: 250,
          },
          ...{
            nurl: 'https://a.example/n',
            burl: 'https://a.example/b',
            lurl: 'https://a.example/l',
            exp: 60,
            mtype: 1,
          },
        },
        {
          id: 'v',
          impid: '1',
          price: 4,
          adm: VAST,
          mtype: 2,
          dur: 15,
          protocol: 7,
          slotinpod: 1,
          adomain: ['v.example'],
        },
      ],
    },
    {
      group: 1,
      bid: [
        { id: 'a', impid: '1', price: 5, adm: VAST, mtype: 3, dur: 15, dealid: 'd', adomain: ['d.example'] },
        { id: 'n', impid: '1', price: 6, adm: NATIVE, mtype: 4, wratio: 16, hratio: 9, ext: { dsa: { adrender: 1 } } },
        { id: 'm', impid: '2', price: 2, adm: '<p>', adomain: [] },
      ],
    },
  ],
};
const TERMS = {
  publisherFloorCpmMicros: 1,
  poolFloorCpmMicros: 1,
  blockedCategories: ['IAB3'],
  blockedDomains: ['c.example'],
};

describe('mutated bids', () => {
  it('are read and judged, whatever a bidder sends: each wins, loses or is malformed', () => {
    const told = { sold: 0, lost: 0, unread: 0 };
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        fc.array(mutation, { maxLength: 2 }),
        (ofBids, ofRequest) => {
          const document: Node = structuredClone(WHOLE_BIDS);
          for (const step of ofBids) if (Object.keys(document).length > 0) mutate(document, step);
          const asked: Node = structuredClone(WHOLE_REQUEST);
          for (const step of ofRequest) if (Object.keys(asked).length > 0) mutate(asked, step);
          const reading = parseBidResponse(document, 'r');
          if (reading.outcome !== 'bids') {
            told.unread++;
            return;
          }
          const offers = [{ dspId: 'a', ...reading }];
          const { wins, losses } = decideAuction({ request: requestOf(asked), terms: TERMS, offers, random: () => 0 });
          expect(wins.length + losses.length).to.equal(reading.bids.length + reading.malformed.length);
          told.sold += wins.length;
          told.lost += losses.length;
        },
      ),
      { numRuns: 3000 },
    );
    expect(told.sold).to.be.greaterThan(100);
    expect(told.lost).to.be.greaterThan(1000);
    expect(told.unread).to.be.greaterThan(10);
  });
});

/** The request, or the one that was not mutated where it is refused. */
function requestOf(document: Node): ReturnType<typeof parseBidRequest> {
  try {
    return parseBidRequest(document);
  } catch {
    return parseBidRequest(structuredClone(WHOLE_REQUEST));
  }
}
