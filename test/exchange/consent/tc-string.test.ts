import { TCString } from '@iabtechlabtcf/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { readTcString } from '#exchange/consent/tc-string';
import { type ConsentFields, fullConsent, tcString } from '../../support/consent-strings.ts';

const OURS = 42;
const all = { vendors: [OURS], purposes: [1, 2], specialFeatures: [1] };

describe('readTcString', () => {
  for (const [what, said, given, preciseGeo] of [
    ['consent to all that is needed', all, true, true],
    ['no consent to the vendor', { ...all, vendors: [41, 43] }, false, true],
    ['no storage on the device', { ...all, purposes: [2] }, false, true],
    ['no basic ads', { ...all, purposes: [1] }, false, true],
    ['no precise geolocation', { ...all, specialFeatures: [] }, true, false],
    ['a vendor below many', { ...all, vendors: [OURS, 900, 901, 902] }, true, true],
    ['a vendor in a range', { ...all, vendors: Array.from({ length: 600 }, (_, index) => index + 1) }, true, true],
    [
      'a purpose that the publisher forbids it',
      { ...all, restricted: [{ vendor: OURS, purpose: 1, type: 0 }] },
      false,
      true,
    ],
    ['legitimate interest alone', { ...all, restricted: [{ vendor: OURS, purpose: 2, type: 2 }] }, false, true],
    ['consent demanded, and given', { ...all, restricted: [{ vendor: OURS, purpose: 2, type: 1 }] }, true, true],
    ['a restriction of another purpose', { ...all, restricted: [{ vendor: OURS, purpose: 3, type: 0 }] }, true, true],
    ['a restriction of another vendor', { ...all, restricted: [{ vendor: 41, purpose: 1, type: 0 }] }, true, true],
  ] as const) {
    it(`reads ${what}`, () => expect(readTcString(tcString(said), OURS)).to.deep.equal({ given, preciseGeo }));
  }

  const BEFORE = new Date('2026-02-27T00:00:00Z');
  const FROM = new Date('2026-02-28T00:00:00Z');
  const givenBy = (said: ConsentFields, more = '') => readTcString(tcString({ ...all, ...said }) + more, OURS)?.given;

  it('finds no consent in a string of 28 February 2026 or later that does not list the disclosed vendors', () => {
    expect(givenBy({ disclosed: null, updated: FROM })).to.equal(false);
    expect(givenBy({ disclosed: null })).to.equal(false);
    expect(givenBy({ disclosed: null, updated: BEFORE })).to.equal(true);
    expect(givenBy({ disclosed: [41, OURS], updated: FROM })).to.equal(true);
  });

  it('finds no consent to a vendor that was not disclosed to the user, whenever the string was made', () => {
    expect(givenBy({ disclosed: [41, 43], updated: FROM })).to.equal(false);
    expect(givenBy({ disclosed: [41, 43], updated: BEFORE })).to.equal(false);
    const others = Array.from({ length: 600 }, (_, index) => index + 100);
    expect(givenBy({ disclosed: others }), 'in a list of ranges').to.equal(false);
    expect(givenBy({ disclosed: [OURS, ...others] })).to.equal(true);
  });

  it('takes an empty list for none: consent before the day, no consent from it on', () => {
    expect(tcString({ ...all, disclosed: [] })).to.match(/\.IAAA$/);
    expect(givenBy({ disclosed: [], updated: BEFORE })).to.equal(true);
    expect(givenBy({ disclosed: [], updated: FROM })).to.equal(false);
    // As sent by platforms of 2020 and 2025.
    for (const text of [
      'CO5asbJO5asbJE-AAAENAACAAAAAAAAAAAYgAAAAAAAA.IAAA',
      'CO5asbJO5asbJE-AAAENAACAAAAAAAAAAAYgAAAAAAAA',
    ]) {
      expect(readTcString(text, OURS), text).to.deep.equal({ given: false, preciseGeo: false });
    }
  });

  it('finds the list among other segments, and skips segments without a character', () => {
    const publisher = 'YAAAAAAAAAA';
    const core = tcString({ ...all, disclosed: null });
    const list = tcString(all).split('.')[1]!;
    for (const more of [`.${publisher}.${list}`, `.${list}.${publisher}`, `..${list}.`, `.QKSwAQKSgAAA.${list}`]) {
      expect(readTcString(core + more, OURS)?.given, more).to.equal(true);
    }
    for (const more of ['.', '..', `.${publisher}`, `.${publisher}.`]) {
      expect(readTcString(core + more, OURS)?.given, more).to.equal(false);
    }
    expect(readTcString(`${core}.${list.slice(0, 4)}`, OURS), 'a list that is cut off').to.equal(null);
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['text', 'no consent at all!'],
    ['a string that is cut off', fullConsent(OURS).slice(0, 30)],
    ['version 1', 'BOEFEAyOEFEAyAHABDENAI4AAAB9vABAASA'],
    ['other characters', `${fullConsent(OURS).slice(0, 38)}é${fullConsent(OURS).slice(39)}`],
  ] as const) {
    it(`takes ${what} for none`, () => expect(readTcString(text, OURS)).to.equal(null));
  }

  it('reads what the library of the IAB reads', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1_200 }), { maxLength: 300 });
    const purposes = fc.uniqueArray(fc.integer({ min: 1, max: 11 }));
    const restricted = fc.array(
      fc.record({
        vendor: fc.integer({ min: 1, max: 1_200 }),
        purpose: fc.constantFrom(1, 2, 3),
        type: fc.constantFrom(0, 1, 2),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        fc.record({
          ...{ vendors: ids, disclosed: fc.option(ids), purposes, specialFeatures: fc.subarray([1, 2]), restricted },
          updated: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-05-01'), noInvalidDate: true }),
        }),
        fc.integer({ min: 1, max: 1_200 }),
        (said, vendor) => {
          const text = tcString({ ...said, restricted: said.restricted.slice(0, 1) });
          const model = TCString.decode(text);
          const denied = model.publisherRestrictions
            .getRestrictions(vendor)
            .some(({ purposeId, restrictionType }) => purposeId <= 2 && restrictionType !== 1);
          const { vendorsDisclosed: disclosed, lastUpdated } = model;
          const isDisclosed =
            disclosed.size > 0 ? disclosed.has(vendor) : lastUpdated.getTime() < Date.UTC(2026, 1, 28);
          expect(readTcString(text, vendor)).to.deep.equal({
            given:
              isDisclosed &&
              model.vendorConsents.has(vendor) &&
              model.purposeConsents.has(1) &&
              model.purposeConsents.has(2) &&
              !denied,
            preciseGeo: model.specialFeatureOptins.has(1),
          });
        },
      ),
    );
  });

  it('never throws, and never takes long', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readTcString(`C${text}`, OURS)));
    // As many ranges, and as many lists, of all vendors there are as fit: a decoder that writes them out sets a hundred
    // million bits.
    const core = fullConsent(OURS);
    const ranges = `${core.slice(0, 35)}${'f'.repeat(8_000)}`;
    const lists = `${core}${'.IAAA'.repeat(1_600)}.P${'f'.repeat(8_000)}`;
    const began = process.cpuUsage();
    for (let times = 0; times < 20; times++) for (const text of [ranges, lists]) readTcString(text, OURS);
    expect(process.cpuUsage(began).user / 1_000, 'ms of the processor').to.be.below(1_000);
  });
});
