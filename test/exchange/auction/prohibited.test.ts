import { expect } from 'chai';
import type { AdFormat } from '../../../exchange/auction/ad-format.ts';
import { prohibition, withProhibitedAttributes } from '../../../exchange/auction/prohibited.ts';
import type { Imp } from '../../../exchange/openrtb/bid-request.ts';
import type { Bid } from '../../../exchange/openrtb/bid-response.ts';

type Case = readonly [what: string, bid: Partial<Bid>, format?: AdFormat];

const blocked: readonly Case[] = [
  ['adult', { cat: ['IAB25-3'] }],
  ['non-standard content as a whole', { cat: ['IAB1', 'iab25'] }],
  ['malware', { cat: ['IAB26-3'] }],
  ['counterfeits', { cat: ['IAB26-4'] }],
  ['adult products', { cattax: 8, cat: ['1001'] }],
  ['casinos', { cattax: 8, cat: ['1362'] }],
  ['NFTs', { cattax: 8, cat: ['1451'] }],
  ['guns', { cattax: 8, cat: ['1010', '1578'] }],
  ['politics without a disclosure', { cat: ['IAB11-4'] }],
  ['politics with an empty disclosure', { cat: ['IAB11-4'], ext: { dsa: { paid: ' ' } } }],
  ['elections without a disclosure', { cattax: 8, cat: ['1476'], ext: { dsa: null } }],
];
const shown: readonly Case[] = [
  ['nothing stated', {}],
  ['a category that only begins alike', { cat: ['IAB2', 'IAB2-5', 'IAB250'] }],
  ['politics that say who pays', { cat: ['IAB11-4'], ext: { dsa: { paid: 'A party' } } }],
  ['elections that say on whose behalf', { cattax: 8, cat: ['1476'], ext: { dsa: { behalf: 'A candidate' } } }],
  ['contests', { cattax: 8, cat: ['1364'] }],
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

describe('what this exchange does not sell', () => {
  const judge = ([, bid, format = 'banner']: Case) => prohibition(bid as Bid, format);
  for (const each of blocked) it(`blocks ${each[0]}`, () => expect(judge(each)).to.equal('blocked-category'));
  for (const each of unfit) it(`blocks ${each[0]}`, () => expect(judge(each)).to.equal('blocked-attribute'));
  for (const each of shown) it(`shows ${each[0]}`, () => expect(judge(each)).to.equal(undefined));

  it('is told to bidders, with what the imp says itself', () => {
    const imp: Imp = { id: '1', banner: { w: 300, h: 250, battr: [9, 1] }, video: { mimes: ['video/mp4'] } };
    expect(withProhibitedAttributes(imp)).to.deep.equal({
      id: '1',
      banner: { w: 300, h: 250, battr: [9, 1, 14] },
      video: { mimes: ['video/mp4'], battr: [14] },
    });
    expect(imp.banner?.battr, 'the caller’s document stays as it was').to.deep.equal([9, 1]);
  });
});
