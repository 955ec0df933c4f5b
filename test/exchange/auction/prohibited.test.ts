import { expect } from 'chai';
import type { AdFormat } from '#exchange/auction/ad-format';
import { isOfUnknownTaxonomy, prohibitedReason, withProhibitedAttributes } from '#exchange/auction/prohibited';
import type { Bid } from '#exchange/openrtb/bid-response';
import type { Imp } from '#exchange/openrtb/fields/imp';

type Case = readonly [what: string, bid: Partial<Bid>, format?: AdFormat];

const blocked: readonly Case[] = [
  ['adult', { cat: ['IAB25-3'] }],
  ['non-standard content as a whole', { cat: ['IAB1', 'iab25'] }],
  ['malware', { cat: ['IAB26-3'] }],
  ['counterfeits', { cat: ['IAB26-4'] }],
  ['politics without a disclosure', { cat: ['IAB11-4'] }],
  ['politics with an empty disclosure', { cat: ['IAB11-4'], ext: { dsa: { paid: ' ' } } }],
  ['elections without a disclosure', { cattax: 8, cat: ['1476'], ext: { dsa: null } }],
  ['an id in small letters', { cattax: 9, cat: ['rm3sit'] }],
  ['the last of several categories', { cattax: 8, cat: ['1010', '1578'] }],
];
const shown: readonly Case[] = [
  ['nothing stated', {}],
  ['a category that only begins alike', { cat: ['IAB2', 'IAB2-5', 'IAB250'] }],
  ['politics that say who pays', { cat: ['IAB11-4'], ext: { dsa: { paid: 'A party' } } }],
  ['elections that say on whose behalf', { cattax: 8, cat: ['1476'], ext: { dsa: { behalf: 'A candidate' } } }],
  ['contests and giveaways', { cattax: 8, cat: ['1363', '1364'] }],
  ['a taxonomy that is not known', { cattax: 500, cat: ['1001', 'IAB25'] }],
  ['the taxonomy of audiences', { cattax: 4, cat: ['1001', '181'] }],
  ['another taxonomy’s number', { cattax: 6, cat: ['1001'] }],
  ['sound of a video', { attr: [1] }, 'video'],
  ['an audio ad', { attr: [1] }, 'audio'],
  ['sound that the viewer begins', { attr: [2] }],
];
const unfit: readonly Case[] = [
  ['a banner with sound', { attr: [3, 1] }],
  ['a native ad with sound', { attr: [1] }, 'native'],
  ['a video that looks like a system’s dialog', { attr: [14] }, 'video'],
];

/** An id of each group, by taxonomy (`cattax`); a group that a taxonomy has no id of is missing. */
const GROUPS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  adult: { 1: 'IAB25-3', 6: 'Rm3SiT', 7: 'Rm3SiT', 8: '1001', 9: 'MQ2XML' },
  gambling: { 1: 'IAB25', 2: '181', 5: '480', 6: '524', 7: 'ZJG29S', 8: '1365', 9: '181' },
  malware: { 1: 'IAB26-3', 6: '6i4dB6', 7: 'v9i3On', 8: '1000', 9: '6i4dB6' },
  firearms: { 1: 'IAB25', 2: '514', 3: '828', 5: '514', 6: 'avbNf2', 7: 'avbNf2', 8: '1578', 9: 'avbNf2' },
  counterfeits: { 1: 'IAB26-4', 6: 'mm3UXx', 7: 'XtODT3', 8: '1000', 9: 'mm3UXx' },
  politics: { 1: 'IAB11-4', 2: '387', 5: '386', 6: 'Z7rJBM', 7: '8YPBBL', 8: '1474', 9: '388' },
  crypto: { 1: 'IAB25', 2: '82', 3: '801', 5: '82', 6: '82', 7: '82', 8: '1451', 9: '82' },
};

describe('what this exchange does not sell', () => {
  for (const [group, ids] of Object.entries(GROUPS)) {
    for (const [taxonomy, id] of Object.entries(ids)) {
      const bid = { cattax: Number(taxonomy), cat: ['1', id] } as unknown as Bid;
      it(`blocks ${group} in taxonomy ${taxonomy}`, () => {
        expect(prohibitedReason(bid, 'video')).to.equal('blocked-category');
        const disclosed = { ...bid, ext: { dsa: { paid: 'A party' } } };
        expect(prohibitedReason(disclosed, 'video')).to.equal(group === 'politics' ? undefined : 'blocked-category');
        expect(isOfUnknownTaxonomy(bid)).to.equal(false);
      });
    }
  }

  it('blocks sound that begins by itself, the eighth group, whatever the taxonomy', () => {
    for (const cattax of [undefined, 1, 2, 3, 5, 6, 7, 8, 9, 500]) {
      const bid = { cat: ['1'], attr: [1], ...(cattax !== undefined && { cattax }) } as unknown as Bid;
      expect(prohibitedReason(bid, 'banner')).to.equal('blocked-attribute');
    }
  });

  it('knows which bids name categories that it cannot read', () => {
    const of = (bid: Partial<Bid>) => isOfUnknownTaxonomy(bid as Bid);
    expect(of({ cattax: 500, cat: ['1'] })).to.equal(true);
    expect(of({ cattax: 4, cat: ['1'] })).to.equal(true);
    expect(of({ cattax: 500 }), 'no category').to.equal(false);
    expect(of({ cat: ['1'] }), 'no taxonomy is 1.0').to.equal(false);
  });

  const judge = ([, bid, format = 'banner']: Case) => prohibitedReason(bid as Bid, format);
  for (const each of blocked) it(`blocks ${each[0]}`, () => expect(judge(each)).to.equal('blocked-category'));
  for (const each of unfit) it(`blocks ${each[0]}`, () => expect(judge(each)).to.equal('blocked-attribute'));
  for (const each of shown) it(`shows ${each[0]}`, () => expect(judge(each)).to.equal(undefined));

  it('is sent to bidders, with what the imp says itself', () => {
    const imp: Imp = { id: '1', banner: { w: 300, h: 250, battr: [9, 1] }, video: { mimes: ['video/mp4'] } };
    expect(withProhibitedAttributes(imp)).to.deep.equal({
      id: '1',
      banner: { w: 300, h: 250, battr: [9, 1, 14] },
      video: { mimes: ['video/mp4'], battr: [14] },
    });
    expect(imp.banner?.battr, 'the caller’s document stays as it was').to.deep.equal([9, 1]);
  });
});
