import { GppModel } from '@iabgpp/cmpapi';
import { expect } from 'chai';
import fc from 'fast-check';
import { readGpp } from '#exchange/consent/gpp';
import { fullConsent } from '../../support/consent-strings.ts';

const STATES = Array.from({ length: 21 }, (_, index) => index + 7);

function gpp(fields: readonly (readonly [section: number, field: string, value: unknown])[]): string {
  const model = new GppModel();
  for (const [section, field, value] of fields) model.setFieldValueBySectionId(section, field, value);
  return model.encode();
}

describe('readGpp', () => {
  for (const section of STATES) {
    it(`reads an opt-out of sale in section ${section}`, () => {
      expect(readGpp(gpp([[section, 'SaleOptOut', 1]]))).to.deep.equal({ tcString: null, optOuts: [section] });
      expect(readGpp(gpp([[section, 'SaleOptOut', 2]]))).to.deep.equal({ tcString: null, optOuts: [] });
      expect(readGpp(gpp([[section, 'SaleOptOut', 0]]))?.optOuts).to.deep.equal([]);
    });
  }

  for (const [field, value] of [
    ['SharingOptOut', 1],
    ['TargetedAdvertisingOptOut', 1],
    ['Gpc', true],
    ['KnownChildSensitiveDataConsents', [0, 1, 0]],
  ] as const) {
    it(`reads ${field}`, () => expect(readGpp(gpp([[7, field, value]]))?.optOuts).to.deep.equal([7]));
  }

  it('reads each of several sections', () => {
    const text = gpp([
      [6, 'OptOutSale', 'Y'],
      [7, 'SaleOptOut', 2],
      [8, 'SharingOptOut', 1],
      [9, 'SaleOptOut', 1],
      [23, 'SaleOptOut', 1],
    ]);
    expect(readGpp(text)?.optOuts).to.deep.equal([6, 8, 9, 23]);
  });

  it('hands on the TC string', () => {
    const consent = fullConsent(42);
    expect(readGpp(`DBABMA~${consent}`)).to.deep.equal({ tcString: consent, optOuts: [] });
    expect(readGpp(`DBACNYA~${consent}~1YYN`)).to.deep.equal({ tcString: consent, optOuts: [6] });
  });

  it('reads the sections that the library writes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...STATES)), fc.array(fc.nat(2), { minLength: 21 }), (ids, values) => {
        const text = gpp(ids.map((id) => [id, 'SaleOptOut', values[id - 7]]));
        const expected = ids.filter((id) => values[id - 7] === 1).sort((a, b) => a - b);
        expect(readGpp(text)?.optOuts).to.deep.equal(expected);
      }),
      { numRuns: 50 },
    );
  });

  for (const text of ['', 'x', 'DBABMA', 'DBABMA~', 'DBABMA~a~b', 'DBAA~a', '~~~', 'DBACNYA~1YYN', 'BBBBBBBBBB~1YYN']) {
    it(`takes ${JSON.stringify(text)} for no opt-out`, () => expect(readGpp(text)?.optOuts ?? []).to.deep.equal([]));
  }

  it('lets a section that is broken say nothing, and reads the others', () => {
    const [header, , uspv1] = gpp([
      [6, 'OptOutSale', 'Y'],
      [7, 'SaleOptOut', 1],
    ]).split('~');
    expect(uspv1).to.be.a('string');
    expect(readGpp(`${header}~1YYN~!!!`)?.optOuts).to.deep.equal([6]);
  });

  it('does not write out a range that names more sections than there are', () => {
    // Type 3, version 1, one entry, a range from section 1 on: and thirty bits of Fibonacci numbers.
    const header = bitsAsText(`${'000011'}${'000001'}${'000000000001'}1${'11'}${'0'.repeat(58)}11`);
    const began = process.cpuUsage();
    expect(readGpp(`${header}~1YYN`)).to.equal(null);
    expect(process.cpuUsage(began).user / 1_000, 'ms of the processor').to.be.below(500);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void readGpp(text)));
    fc.assert(fc.property(fc.string(), (text) => void readGpp(`DBABLA~${text}`)));
  });
});

function bitsAsText(bits: string): string {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const padded = bits.padEnd(Math.ceil(bits.length / 6) * 6, '0');
  return (padded.match(/.{6}/g) ?? []).map((six) => ALPHABET[Number.parseInt(six, 2)]).join('');
}
