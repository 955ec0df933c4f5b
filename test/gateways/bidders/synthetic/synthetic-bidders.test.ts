import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import { parseBidResponse } from '#exchange/openrtb/parse-bid-response';
import { answerFor } from '#gateways/bidders/synthetic/answer';
import { syntheticBidders } from '#gateways/bidders/synthetic/synthetic-bidders';

describe('gateways/bidders/synthetic', () => {
  /** What RandomBidder draws next. */
  const draws: number[] = [];
  const post = (name: string, body: unknown): Response => {
    const persona = syntheticBidders.find((one) => one.name === name)!;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = answerFor(persona, text, 'https://edge.test', () => draws.shift() ?? 0.5);
    return new Response(answer.status === 200 ? new Uint8Array(answer.body) : null, { status: answer.status });
  };
  const bidsOf = async (name: string, imp: object[]) => {
    const response = post(name, { id: 'r1', imp });
    expect(response.status).to.equal(200);
    const reading = parseBidResponse(await response.json(), 'r1');
    if (reading.outcome !== 'bids') throw new Error(`${reading.outcome} instead of bids`);
    expect(reading.malformed).to.deep.equal([]);
    expect(reading.currency).to.equal('USD');
    return reading.bids.map(({ bid }) => bid);
  };
  const banner = { id: '1', banner: { w: 320, h: 50 } };

  it('HighBidder outbids LowBidder', async () => {
    const [[high], [low]] = [await bidsOf('HighBidder', [banner]), await bidsOf('LowBidder', [banner])];
    expect(high!.price).to.be.greaterThan(low!.price);
  });

  it('HighBidder bids above the floor, or not at all; LowBidder the same whatever the floor', async () => {
    const [high] = await bidsOf('HighBidder', [{ ...banner, bidfloor: 20 }]);
    expect(high!.price).to.be.at.least(20);
    expect(post('HighBidder', { id: 'r1', imp: [{ ...banner, bidfloor: 1000 }] }).status).to.equal(204);
    for (const bidfloor of [0, 20]) {
      expect((await bidsOf('LowBidder', [{ ...banner, bidfloor }]))[0]!.price).to.equal(1.25);
    }
  });

  it('RandomBidder bids what it draws, whatever the floor, and sometimes nothing', async () => {
    const floored = { ...banner, bidfloor: 20 };
    for (const [drawn, price] of [
      [0, 0.5],
      [0.5, 5.25],
      [0.999999, 10],
    ] as const) {
      draws.push(0.25, drawn);
      const [bid] = await bidsOf('RandomBidder', [floored]);
      expect(bid!.price).to.equal(price);
    }
    draws.push(0.249);
    expect(post('RandomBidder', { id: 'r1', imp: [banner] }).status).to.equal(204);
  });

  it('answer a banner in its size, from `format` too', async () => {
    const [one, two] = await bidsOf('HighBidder', [banner, { id: '2', banner: { format: [{ w: 728, h: 90 }] } }]);
    expect([one!.w, one!.h, one!.impid]).to.deep.equal([320, 50, '1']);
    expect([two!.w, two!.h, two!.impid]).to.deep.equal([728, 90, '2']);
    expect(one!.adm).to.include('320x50');
  });

  for (const [kind, slot, version] of [
    ['video', { mimes: ['video/mp4'] }, '3.0'],
    ['video', { mimes: ['video/mp4'], protocols: [7] }, '4.0'],
    ['audio', { mimes: ['audio/mpeg'], protocols: [2] }, '2.0'],
  ] as const) {
    it(`answer ${kind} of protocols ${JSON.stringify('protocols' in slot ? slot.protocols : null)} with VAST ${version}`, async () => {
      const [bid] = await bidsOf('HighBidder', [{ id: '1', [kind]: slot }]);
      const vast = new DOMParser().parseFromString(bid!.adm!, 'text/xml').documentElement!;
      expect([vast.tagName, vast.getAttribute('version')]).to.deep.equal(['VAST', version]);
      const [file] = vast.getElementsByTagName('MediaFile');
      expect(file!.getAttribute('type')).to.equal(slot.mimes[0]);
      expect(vast.getElementsByTagName('Impression')).to.have.length(1);
    });
  }

  it('answer a slot whose MIME types are the names of members of all objects', async () => {
    for (const mime of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      for (const [kind, type] of [
        ['video', 'video/mp4'],
        ['audio', 'audio/mpeg'],
      ] as const) {
        const [bid] = await bidsOf('HighBidder', [{ id: '1', [kind]: { mimes: [mime] } }]);
        expect(bid!.adm, mime).to.contain(`type="${type}"`);
      }
    }
  });

  it('bid the media type that a slot names by another name, with parameters too', async () => {
    for (const [kind, mime, type] of [
      ['audio', 'audio/x-m4a', 'audio/mp4'],
      ['audio', 'audio/x-aac', 'audio/aac'],
      ['video', 'video/x-webm', 'video/webm'],
      ['video', 'video/webm; codecs="vp9"', 'video/webm'],
    ] as const) {
      const [bid] = await bidsOf('HighBidder', [{ id: '1', [kind]: { mimes: [mime] } }]);
      expect(bid!.adm, mime).to.contain(`type="${type}"`);
    }
  });

  it('bid a spot as long as the slot wants it', async () => {
    for (const [slot, seconds] of [
      [{}, 15],
      [{ minduration: 5, maxduration: 60 }, 15],
      [{ maxduration: 6 }, 6],
      [{ minduration: 20, maxduration: 30 }, 20],
      [{ rqddurs: [30, 15] }, 30],
      [{ poddur: 10, maxseq: 1 }, 10],
    ] as const) {
      const [bid] = await bidsOf('HighBidder', [{ id: '1', video: { mimes: ['video/mp4'], ...slot } }]);
      expect(bid!.dur, JSON.stringify(slot)).to.equal(seconds);
      expect(bid!.adm).to.contain(`<Duration>00:00:${String(seconds).padStart(2, '0')}</Duration>`);
    }
  });

  it('fill the dynamic portion of a pod with spots of as many advertisers', async () => {
    const spots = async (pod: object) =>
      bidsOf('HighBidder', [{ id: '1', video: { mimes: ['video/mp4'], maxduration: 30, ...pod } }]);
    expect(await spots({ poddur: 60 })).to.have.length(4);
    expect(await spots({ poddur: 600 })).to.have.length(4);
    expect(await spots({ poddur: 50, maxseq: 9 })).to.have.length(3);
    const two = await spots({ poddur: 60, maxseq: 2 });
    expect(two.map(({ adomain, dur }) => [adomain, dur])).to.deep.equal([
      [['high-bidder.example'], 15],
      [['high-bidder-2.example'], 15],
    ]);
    expect(new Set(two.flatMap(({ id, crid }) => [id, crid])).size).to.equal(4);
  });

  it('do not bid on a VAST version that they do not speak', async () => {
    const imp = [{ id: '1', video: { mimes: ['video/mp4'], protocols: [5] } }];
    expect(post('HighBidder', { id: 'r1', imp }).status).to.equal(204);
  });

  it('answer the assets of a native request', async () => {
    const request = JSON.stringify({
      ver: '1.2',
      assets: [
        { id: 7, required: 1, title: { len: 4 } },
        { id: 8, img: { type: 3, wmin: 1200, hmin: 627 } },
        { id: 9, data: { type: 1, len: 25 } },
      ],
    });
    const [bid] = await bidsOf('LowBidder', [{ id: '1', native: { request } }]);
    const { assets } = JSON.parse(bid!.adm!);
    expect(assets[0]).to.deep.equal({ id: 7, title: { text: 'LowB' } });
    expect(assets[1].img).to.include({ w: 1200, h: 627 });
    expect(assets[2]).to.deep.equal({ id: 9, data: { value: 'LowBidder' } });
  });

  it('answer 400 to what is no bid request', async () => {
    for (const body of ['{', '[]', '{"imp": 7}', '{"imp": [null]}', 'null'])
      expect(post('HighBidder', body).status).to.equal(400);
  });
});
