import { expect } from 'chai';
import { CreativeReview, ScopeDecisions } from '#exchange/creative/creative-review';
import type { ReviewMode, ReviewSubject } from '#exchange/creative/review-scope';
import type { Bid } from '#exchange/openrtb/bid-response';

type Named = Partial<Record<ReviewSubject, readonly string[]>>;
interface Scope {
  readonly mode?: ReviewMode;
  readonly blocked?: Named;
  readonly approved?: Named;
}

function scope({ mode = 'open', blocked = {}, approved = {} }: Scope): ScopeDecisions {
  const decisions = new ScopeDecisions();
  decisions.mode = mode;
  for (const [subject, values] of Object.entries(blocked)) {
    for (const value of values) decisions.blocked[subject as ReviewSubject].add(value);
  }
  for (const [subject, values] of Object.entries(approved)) {
    for (const value of values) decisions.approved[subject as ReviewSubject].add(value);
  }
  return decisions;
}

const offered: Bid = { id: 'b', impid: '1', price: 1, adomain: ['shop.ford.com'], cat: ['iab2-3'], attr: [6] };

function judge(scopes: readonly Scope[], bid: Partial<Bid> = {}, clean = false, markup = true) {
  const review = new CreativeReview(scopes.map(scope));
  const creative = { creativeId: 'creative-1', fingerprint: 'fp-1' };
  return review.refusal({ ...offered, ...bid }, 'dsp-1', {
    identify: () => (markup ? creative : null),
    isClean: () => clean,
  });
}

describe('CreativeReview', () => {
  const everySubject: Named[] = [
    { creative: ['creative-1'] },
    { fingerprint: ['fp-1'] },
    { advertiser: ['ford.com'] },
    { category: ['IAB2'] },
    { category: ['IAB2-3'] },
    { attribute: ['6'] },
    { demand_source: ['dsp-1'] },
  ];
  for (const blocked of everySubject) {
    it(`blocks by ${JSON.stringify(blocked)}, in whichever scope that was decided`, () => {
      for (const scopes of [[{ blocked }], [{ blocked }, {}, {}], [{}, {}, { blocked }]]) {
        expect(judge(scopes)).to.equal('creative-blocked');
      }
    });
  }

  it('blocks nothing else', () => {
    const blocked = {
      creative: ['creative-2'],
      fingerprint: ['fp-2'],
      advertiser: ['rd.com', 'other.shop.ford.com'],
      category: ['IAB20', 'IAB2-30'],
      attribute: ['60'],
      demand_source: ['dsp-10'],
    };
    expect(judge([{ blocked }])).to.equal(undefined);
  });

  it('compares categories of the taxonomy that decisions name, alone', () => {
    expect(judge([{ blocked: { category: ['IAB2'] } }], { cattax: 2 })).to.equal(undefined);
  });

  it('lets an approval of no scope undo a block', () => {
    const approved = { creative: ['creative-1'], demand_source: ['dsp-1'] };
    expect(judge([{ approved }, { blocked: { creative: ['creative-1'] } }])).to.equal('creative-blocked');
    expect(judge([{ blocked: { advertiser: ['ford.com'] } }, { approved }])).to.equal('creative-blocked');
  });

  it('takes only what was approved where creatives are reviewed', () => {
    expect(judge([{ mode: 'reviewed' }], {}, true)).to.equal('creative-not-approved');
    for (const approved of everySubject.filter(({ category, attribute }) => !category && !attribute)) {
      expect(judge([{ mode: 'reviewed', approved }]), JSON.stringify(approved)).to.equal(undefined);
    }
  });

  it('takes what a scan found nothing against, or what was approved, where creatives are scanned', () => {
    expect(judge([{ mode: 'scanned' }], {}, true)).to.equal(undefined);
    expect(judge([{ mode: 'scanned' }])).to.equal('creative-not-approved');
    expect(judge([{ mode: 'scanned', approved: { creative: ['creative-1'] } }])).to.equal(undefined);
  });

  it('counts an approval in its scope and within it, never above', () => {
    const approved = { creative: ['creative-1'] };
    expect(judge([{ approved }, { mode: 'reviewed' }])).to.equal(undefined);
    expect(judge([{ mode: 'reviewed' }, { approved }])).to.equal('creative-not-approved');
    expect(judge([{ mode: 'scanned' }, { mode: 'reviewed', approved }])).to.equal('creative-not-approved');
    expect(judge([{ mode: 'scanned' }, { mode: 'reviewed', approved }], {}, true)).to.equal(undefined);
  });

  it('approves by advertiser only what names no other', () => {
    const scopes = [{ mode: 'reviewed', approved: { advertiser: ['ford.com'] } }] as const;
    expect(judge(scopes, { adomain: ['shop.ford.com', 'ford.com'] })).to.equal(undefined);
    expect(judge(scopes, { adomain: ['ford.com', 'casino.example'] })).to.equal('creative-not-approved');
    expect(judge(scopes, { adomain: [] })).to.equal('creative-not-approved');
  });

  it('judges markup when it is there', () => {
    const scopes = [{ mode: 'reviewed', blocked: { creative: ['creative-1'] } }] as const;
    expect(judge(scopes, {}, false, false)).to.equal(undefined);
    expect(judge([{ blocked: { demand_source: ['dsp-1'] } }], {}, false, false)).to.equal('creative-blocked');
  });
});
