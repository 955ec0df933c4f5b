import { expect } from 'chai';
import { acceptsDollars } from '#exchange/currency/currency';
import { CurrencyRates, cpmIn, dollarMicros } from '#exchange/currency/currency-rates';
import { InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { readBidRequest } from '#exchange/openrtb/parse-bid-request';

const rates = new CurrencyRates({ asOf: '2026-03-14T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25, JPY: 0.0064 } });
const read = (imp: object, more: object = {}) =>
  readBidRequest({ id: 'r', imp: [{ id: '1', banner: { w: 300, h: 250 }, ...imp }], ...more }, rates);

describe('a request with amounts in other currencies', () => {
  it('has its floors in dollars, each by the currency that it was stated in', () => {
    const { request, currencies } = read({
      bidfloor: 2,
      bidfloorcur: 'eur',
      video: { mimes: ['video/mp4'], mincpmpersec: 0.1, durfloors: [{ mindur: 1, maxdur: 15, bidfloor: 4 }] },
      pmp: {
        deals: [
          { id: 'a', bidfloor: 1000, bidfloorcur: 'JPY', durfloors: [{ mindur: 1, maxdur: 15, bidfloor: 500 }] },
          { id: 'b', bidfloor: 3 },
          { id: 'c', bidfloorcur: 'EUR', mincpmpersec: 0.2 },
        ],
      },
    });
    const [imp] = request.imp;
    expect(imp).to.deep.include({ bidfloor: 2.5, bidfloorcur: 'USD' });
    expect(imp!.video).to.deep.include({
      mincpmpersec: 0.125,
      durfloors: [{ mindur: 1, maxdur: 15, bidfloor: 5 }],
    });
    expect(imp!.pmp!.deals).to.deep.equal([
      { id: 'a', bidfloor: 6.4, bidfloorcur: 'USD', durfloors: [{ mindur: 1, maxdur: 15, bidfloor: 3.2 }] },
      { id: 'b', bidfloor: 3 },
      { id: 'c', bidfloorcur: 'USD', mincpmpersec: 0.25 },
    ]);
    expect(currencies!.statedFloors).to.deep.equal([{ impId: '1', cpm: 2, currency: 'EUR', dollarsPerUnit: 1.25 }]);
  });

  it('is refused where a floor has no rate, but for a floor of zero', () => {
    expect(() => read({ bidfloor: 1, bidfloorcur: 'XAU' }))
      .to.throw(InvalidFloor, 'is XAU, for which there is no rate')
      .with.property('path', 'imp[0].bidfloorcur');
    expect(() => read({ pmp: { deals: [{ id: 'a', bidfloor: 1, bidfloorcur: 'XAU' }] } }))
      .to.throw(InvalidFloor)
      .with.property('path', 'imp[0].pmp.deals[0].bidfloorcur');
    expect(() => read({ pmp: { deals: [{ id: 'a', mincpmpersec: 0.1, bidfloorcur: 'XAU' }] } }))
      .to.throw(InvalidFloor)
      .with.property('path', 'imp[0].pmp.deals[0].bidfloorcur');
    expect(read({ bidfloor: 0, bidfloorcur: 'XAU' }).request.imp[0]).to.include({ bidfloor: 0, bidfloorcur: 'USD' });
  });

  it('is refused where a floor is none in dollars', () => {
    expect(() => read({ bidfloor: -1, bidfloorcur: 'EUR' })).to.throw(InvalidFloor, 'must be a CPM');
    expect(() => read({ bidfloor: 9_000, bidfloorcur: 'EUR' })).to.throw(InvalidFloor, 'must be a CPM');
    expect(read({ bidfloor: 1_500_000, bidfloorcur: 'JPY' }).request.imp[0]!.bidfloor).to.equal(9_600);
  });

  it('is answered in dollars where it takes them, else in the first currency with a rate', () => {
    for (const [cur, answer, accepted] of [
      [undefined, 'USD', ['USD']],
      [[], 'USD', ['USD']],
      [['EUR', 'USD'], 'USD', ['USD', 'EUR']],
      [['usd'], 'USD', ['USD']],
      [['XAU', 'JPY', 'EUR'], 'JPY', ['USD', 'JPY', 'EUR']],
    ] as const) {
      const { request, currencies } = read({}, cur === undefined ? {} : { cur: [...cur] });
      expect({ answer: currencies!.answer, accepted: currencies!.accepted }, `${cur}`).to.deep.equal({
        answer,
        accepted,
      });
      expect(acceptsDollars(request), `${cur}`).to.equal(true);
    }
    const { request } = read({}, { cur: ['XAU'] });
    expect(request.cur).to.deep.equal(['XAU']);
    expect(acceptsDollars(request)).to.equal(false);
  });

  it('keeps its floors where there are no rates, and is refused for those in other currencies', () => {
    const document = (bidfloorcur: string) => ({ id: 'r', imp: [{ id: '1', banner: {}, bidfloor: 1, bidfloorcur }] });
    expect(readBidRequest(document('USD'), null).currencies).to.equal(null);
    expect(() => readBidRequest(document('EUR'), null)).to.throw(InvalidFloor, 'no currency is converted');
  });
});

describe('conversion of amounts', () => {
  it('rounds once to whole micro-dollars, half to even', () => {
    expect(dollarMicros(2, 1.25)).to.equal(2_500_000);
    expect(dollarMicros(0.000001, 0.5)).to.equal(0);
    expect(dollarMicros(0.000003, 0.5)).to.equal(2);
    expect(dollarMicros(150.25, 0.0064)).to.equal(961_600);
  });

  it('takes no amount that is none', () => {
    for (const cpm of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 10_001]) expect(dollarMicros(cpm, 1)).to.equal(0);
  });

  it('converts back with six decimals', () => {
    expect(cpmIn(2_500_000, 1.25)).to.equal(2);
    expect(cpmIn(1, 3)).to.equal(0);
    expect(cpmIn(1, 3, Math.ceil)).to.equal(0.000001);
  });
});
