import { expect } from 'chai';
import { formatOf, offeredFormats } from '#exchange/auction/ad-format';
import type { Imp } from '#exchange/openrtb/fields/imp';

const EVERYTHING: Imp = {
  id: '1',
  banner: {},
  video: { mimes: ['video/mp4'] },
  audio: { mimes: ['audio/mp4'] },
  native: { request: '{}' },
};
const AUDIO: Imp = { id: '1', banner: {}, audio: { mimes: ['audio/mp4'] } };
const bid = { id: 'b', impid: '1', price: 1 };

describe('formatOf', () => {
  for (const [expected, fields, imp] of [
    ['banner', { mtype: 1 }, EVERYTHING],
    ['video', { mtype: 2 }, EVERYTHING],
    ['audio', { mtype: 3 }, EVERYTHING],
    ['native', { mtype: 4 }, EVERYTHING],
    [null, { mtype: 5 }, EVERYTHING],
    [null, { mtype: 2 }, AUDIO],
    ['audio', { mtype: 3, adm: '<p>' }, AUDIO],
    ['video', { adm: '\uFEFF<?xml version="1.0"?>\n<!-- a --> <!-- b --><vast version="4.0">' }, EVERYTHING],
    ['audio', { adm: '<VAST version="4.0">' }, AUDIO],
    ['banner', { adm: '<VASTNESS>' }, EVERYTHING],
    ['native', { adm: ' {"assets":[]}' }, EVERYTHING],
    [null, { adm: '{}' }, AUDIO],
    ['banner', { nurl: 'https://bidder.example' }, EVERYTHING],
    ['banner', { adm: '<VAST/>' }, { id: '1', banner: {} }],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(fields)} of ${offeredFormats(imp)}`, () => {
      expect(formatOf({ ...bid, ...fields }, imp)).to.equal(expected);
    });
  }

  it('reads any number of comments in one pass', () => {
    const comments = '<!-- --> '.repeat(20_000);
    expect(formatOf({ ...bid, adm: `${comments}<p>` }, EVERYTHING)).to.equal('banner');
    expect(formatOf({ ...bid, adm: `${comments}<VAST>` }, EVERYTHING)).to.equal('video');
  });
});
