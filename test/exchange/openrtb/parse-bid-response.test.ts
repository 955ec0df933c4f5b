import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_BIDS, parseBidResponse } from '#exchange/openrtb/parse-bid-response';

const bid = { id: 'b', impid: '1', price: 1.5, adm: '<p>', novel: { kept: true } };

describe('parseBidResponse', () => {
  it('reads bids with their seats, groups and unknown fields', () => {
    const other = { ...bid, id: 'c' };
    const document = {
      id: 'r',
      bidid: 'x',
      seatbid: [
        { seat: 's', bid: [bid] },
        { group: 1, bid: [other] },
      ],
    };
    expect(parseBidResponse(document, 'r')).to.deep.equal({
      outcome: 'bids',
      bidId: 'x',
      currency: 'USD',
      bids: [
        { bid, seat: 's', group: null },
        { bid: other, seat: null, group: 1 },
      ],
      malformed: [],
    });
  });

  it('takes what generated code writes into unset fields for absent', () => {
    const texts = ['nurl', 'burl', 'lurl', 'adm', 'adid', 'bundle', 'iurl', 'cid', 'crid', 'language', 'dealid'];
    const numbers = ['w', 'h', 'wratio', 'hratio', 'dur', 'cattax', 'api', 'protocol'];
    const unset = Object.fromEntries([...texts.map((name) => [name, '']), ...numbers.map((name) => [name, 0])]);
    const stated = { id: 'b', impid: '1', price: 0, mtype: 0, slotinpod: 0, exp: 0, novel: '' };
    const reading = parseBidResponse(
      { id: 'r', cur: '', seatbid: [{ seat: '', bid: [{ ...stated, ...unset }] }] },
      'r',
    );
    if (reading.outcome !== 'bids') throw new Error(reading.outcome);
    expect(reading.currency).to.equal('USD');
    expect(reading.bids[0]!.seat).to.equal(null);
    expect(JSON.parse(JSON.stringify(reading.bids[0]!.bid))).to.deep.equal(stated);
  });

  for (const [what, document, nbr] of [
    ['an empty object', {}, null],
    ['a reason', { id: 'r', nbr: 2 }, 2],
    ['no seatbid', { id: 'r', seatbid: [] }, null],
    ['null for seatbid', { id: 'r', seatbid: null }, null],
    ['an empty seatbid', { id: 'r', seatbid: [{ bid: [] }], nbr: 8 }, 8],
  ] as const) {
    it(`takes ${what} for no bid`, () => {
      expect(parseBidResponse(document, 'r')).to.deep.equal({ outcome: 'no-bid', nbr });
    });
  }

  for (const [what, document] of [
    ['null', null],
    ['a list', []],
    ['text', '<html>'],
    ['a seatbid that is no list', { id: 'r', seatbid: { bid: [bid] } }],
    ['a seatbid that holds null', { id: 'r', seatbid: [null] }],
    ['a seatbid without bid', { id: 'r', seatbid: [{ seat: 's' }] }],
    ['no id', { seatbid: [{ bid: [bid] }] }],
    ['a currency of 0', { id: 'r', cur: 0, seatbid: [{ bid: [bid] }] }],
    ['a currency that is no text', { id: 'r', cur: 7, seatbid: [{ bid: [bid] }] }],
    ['a currency that is no code', { id: 'r', cur: '+'.repeat(100_000), seatbid: [{ bid: [bid] }] }],
    ['more bids than anybody needs', { id: 'r', seatbid: [{ bid: Array(MAX_BIDS + 1).fill(bid) }] }],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(parseBidResponse(document, 'r')).to.include({ outcome: 'invalid', reason: 'malformed-response' });
    });
  }

  it('refuses an answer to another request', () => {
    const reading = parseBidResponse({ id: 'q', seatbid: [{ bid: [bid] }] }, 'r');
    expect(reading).to.include({ outcome: 'invalid', reason: 'wrong-request-id' });
  });

  for (const [at, wrong] of [
    ['.id', { ...bid, id: undefined }],
    ['.impid', { ...bid, impid: 1 }],
    ['.price', { ...bid, price: '1.5' }],
    ['.price', { ...bid, price: Number.NaN }],
    ['.price', { ...bid, price: Number.POSITIVE_INFINITY }],
    ['.adm', { ...bid, adm: {} }],
    ['.adomain[0]', { ...bid, adomain: [7] }],
    ['.w', { ...bid, w: '300' }],
    ['', null],
    ['', 'x'],
  ] as const) {
    it(`sets aside a bid that is wrong at ${at || 'its root'}: ${JSON.stringify(wrong)}`, () => {
      const reading = parseBidResponse({ id: 'r', seatbid: [{ bid: [bid, wrong] }] }, 'r');
      if (reading.outcome !== 'bids') throw new Error(reading.outcome);
      expect(reading.bids).to.have.lengthOf(1);
      expect(reading.malformed).to.have.lengthOf(1);
      expect(reading.malformed[0]!.message).to.match(
        new RegExp(`^seatbid\\[0\\]\\.bid\\[1\\]${at.replace(/[[\].]/g, '\\$&')}: `),
      );
    });
  }

  it('never throws', () => {
    const field = fc.constantFrom(
      'id',
      'seatbid',
      'cur',
      'bidid',
      'nbr',
      'bid',
      'seat',
      'group',
      'impid',
      'price',
      'adm',
    );
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('r', '', null, 0, -1, 1, 1e308, true),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(field, tie('json'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(json, (document) => {
        expect(parseBidResponse(document, 'r').outcome).to.be.oneOf(['bids', 'no-bid', 'invalid']);
      }),
    );
  });
});
