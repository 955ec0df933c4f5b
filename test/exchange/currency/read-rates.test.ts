import { expect } from 'chai';
import { InvalidRates, readRates } from '#exchange/currency/read-rates';

const dated = (conversions: unknown) => ({ dataAsOf: '2026-03-14T00:00:00.000Z', conversions });

describe('rates of currencies', () => {
  it('are read as Prebid’s file has them', () => {
    const { asOf, dollarsPerUnit } = readRates(
      dated({
        USD: { USD: 1, EUR: 0.8, GBP: 0.5 },
        GBP: { USD: 1.99, EUR: 1.6, GBP: 1 },
        EUR: { USD: 1.25, GBP: 0.625 },
      }),
    );
    expect(asOf).to.equal('2026-03-14T00:00:00.000Z');
    expect(dollarsPerUnit).to.deep.equal({ EUR: 1.25, GBP: 1.99 });
  });

  it('are turned round where dollars alone have quotes', () => {
    expect(readRates(dated({ USD: { EUR: 0.8, JPY: 160 } })).dollarsPerUnit).to.deep.equal({ EUR: 1.25, JPY: 1 / 160 });
  });

  it('are crossed by another base that has both', () => {
    const { dollarsPerUnit } = readRates(dated({ EUR: { USD: 1.25, CHF: 0.5, SEK: 10 } }));
    expect(dollarsPerUnit).to.deep.equal({ EUR: 1.25, CHF: 2.5, SEK: 0.125 });
  });

  it('have the date of their data, else that of the document', () => {
    const conversions = { EUR: { USD: 1.1 } };
    expect(readRates({ generatedAt: '2026-03-14', conversions }).asOf).to.equal('2026-03-14T00:00:00.000Z');
    expect(() => readRates({ conversions })).to.throw(InvalidRates, 'dataAsOf must be a date');
  });

  it('are refused with what is wrong with them', () => {
    for (const [conversions, message] of [
      [undefined, 'conversions must be an object'],
      [{}, 'no currency can be converted'],
      [{ EUR: { GBP: 0.9 } }, 'no currency can be converted'],
      [{ EUR: 1 }, 'conversions.EUR must be an object'],
      [{ euro: { USD: 1 } }, 'conversions.euro is no currency code'],
      [{ EUR: { usd: 1 } }, 'conversions.EUR.usd is no currency code'],
      [{ EUR: { USD: 0 } }, 'conversions.EUR.USD must be a positive number'],
      [{ EUR: { USD: -1 } }, 'conversions.EUR.USD must be a positive number'],
      [{ EUR: { USD: '1.1' } }, 'conversions.EUR.USD must be a positive number'],
      [JSON.parse('{"__proto__": {"USD": 2}}'), 'is no currency code'],
    ] as const) {
      expect(() => readRates(dated(conversions)), JSON.stringify(conversions)).to.throw(InvalidRates, message);
    }
    for (const document of [null, 1, 'EUR', []]) expect(() => readRates(document)).to.throw(InvalidRates);
  });

  it('are bounded in number', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const quotes = letters.flatMap((one) => letters.map((other) => [`${one}${other}X`, 2]));
    expect(() => readRates(dated({ USD: Object.fromEntries(quotes) }))).to.throw(InvalidRates, 'more than 400');
  });
});
