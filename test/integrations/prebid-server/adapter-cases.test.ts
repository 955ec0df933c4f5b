import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { AdFormat } from '#exchange/auction/ad-format';
import type { Script } from '../../support/bidder.ts';
import { EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const FOLDER = 'integrations/prebid-server';
const CASES = `${FOLDER}/adapters/adexchange/adexchangetest/exemplary`;
const VAST =
  '<VAST version="4.0"><Ad id="1"><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle><Impression>https://d.test/i</Impression><Creatives/></InLine></Ad></VAST>';
const MARKUP: Readonly<Record<AdFormat, object>> = {
  banner: { mtype: 1, adm: '<b>an ad</b>', w: 300, h: 250 },
  video: { mtype: 2, adm: VAST, dur: 15 },
  audio: { mtype: 3, adm: VAST, dur: 15 },
  native: {
    mtype: 4,
    adm: JSON.stringify({ native: { link: { url: 'https://a.test/' }, assets: [{ id: 1, title: { text: 'T' } }] } }),
  },
};

interface AdapterCase {
  readonly httpCalls: readonly {
    readonly expectedRequest: { readonly body: { readonly imp: readonly { readonly id: string }[] } };
    readonly mockResponse: { readonly body: { readonly seatbid: readonly { readonly bid: readonly CaseBid[] }[] } };
  }[];
}

interface CaseBid {
  readonly impid: string;
  readonly mtype: number;
}

/** Bids on each imp in the first of its formats, the richest first. */
const bidsOnAll: Script = ({ body }, response) => {
  const formats = ['video', 'audio', 'native', 'banner'] as const;
  const bid = body.imp.map((imp: { readonly id: string } & Record<AdFormat, object | undefined>) => ({
    ...{ id: `bid-${imp.id}`, impid: imp.id, price: 2, crid: 'creative', adomain: ['advertiser.test'] },
    ...MARKUP[formats.find((format) => imp[format] !== undefined)!],
  }));
  response.end(JSON.stringify({ id: body.id, seatbid: [{ bid }] }));
};

describe('the adapter for Prebid Server', () => {
  let exchange: EdgeUnderTest;
  before(async () => {
    exchange = await new EdgeUnderTest().start();
    for (const last of ['a', 'b']) {
      const id = `00000000-0000-4000-8000-00000000000${last}`;
      exchange.publisher({ id, domain: 'site.example', identities: ['com.publisher.app'] });
    }
    await exchange.bidder(bidsOnAll);
  });
  after(() => exchange.close());

  for (const name of readdirSync(CASES)) {
    it(`asks what the exchange sells, and expects what it answers: ${name}`, async () => {
      const { httpCalls } = JSON.parse(readFileSync(`${CASES}/${name}`, 'utf8')) as AdapterCase;
      for (const [index, { expectedRequest, mockResponse }] of httpCalls.entries()) {
        const { body } = expectedRequest;
        const response = await exchange.post({ ...body, id: `${name}-${index}` });
        expect(response.status).to.equal(200);
        const answer = await jsonOf(response);
        const told = (seats: readonly { readonly bid: readonly CaseBid[] }[]) =>
          seats.flatMap(({ bid }) => bid.map(({ impid, mtype }) => `${impid}: ${mtype}`));
        expect(told(answer.seatbid)).to.have.members(told(mockResponse.body.seatbid));
        for (const { bid } of answer.seatbid) {
          for (const each of bid) {
            for (const field of ['price', 'adm', 'adomain', 'crid', 'burl', 'exp'])
              expect(each).to.have.property(field);
          }
        }
      }
    });
  }

  it('has a description with the parameters that the exchange reads', () => {
    const schema = JSON.parse(readFileSync(`${FOLDER}/static/bidder-params/adexchange.json`, 'utf8'));
    expect(Object.keys(schema.properties)).to.have.members(['publisherId', 'placement', 'bidFloor']);
  });
});
