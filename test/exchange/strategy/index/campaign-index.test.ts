import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { CampaignIndex } from '#exchange/strategy/index/campaign-index';
import { explainCampaigns } from '#exchange/strategy/index/explain-campaigns';
import { evaluateCampaigns } from '../naive/evaluate.ts';
import { inOrder, naiveMatches, type Owned } from './oracle.ts';
import { type Abundance, randomAbundance, randomCampaign } from './random-campaign.ts';
import { RandomChoices } from './random-choices.ts';
import { randomView } from './random-request.ts';

/** Campaign and request pairs that are compared; INDEX_COMPARISONS=10000000 for a long run. */
const COMPARISONS = Number(process.env.INDEX_COMPARISONS ?? 200_000);
const SEED = process.env.INDEX_SEED ?? '1';

const OWNERS = ['a', 'b', 'c', 'd'];
/** A Saturday. */
const START_MS = Date.parse('2026-01-31T00:00:00Z');

/** Puts, replacements and removals in any order, as an edge hears of them. */
function change(
  draw: RandomChoices,
  index: CampaignIndex,
  model: Map<string, Owned>,
  ids: number,
  of: Abundance,
): void {
  const id = `c${draw.below(ids)}`;
  if (draw.chance(0.25)) {
    index.remove(id);
    model.delete(id);
    return;
  }
  const owned = { owner: draw.one(OWNERS), campaign: randomCampaign(draw, id, of) };
  index.put(id, owned.owner, owned.campaign);
  model.set(id, owned);
}

describe('exchange/strategy/index/campaign-index', () => {
  it(`finds what the naive evaluator finds, whatever was put and removed: ${COMPARISONS} comparisons`, function () {
    this.timeout(0);
    let compared = 0;
    let matched = 0;
    for (let round = 0; compared < COMPARISONS; round++) {
      const seed = `${SEED}/${round}`;
      const draw = new RandomChoices(seed);
      const index = new CampaignIndex(draw.one([1, 5, 1000]));
      const model = new Map<string, Owned>();
      const abundance = randomAbundance(draw);
      const ids = draw.one([5, 50, 400]);
      for (let step = 0; step < 12; step++) {
        for (let changes = draw.below(ids); changes >= 0; changes--) change(draw, index, model, ids, abundance);
        const view = randomView(draw);
        const nowMs = START_MS + draw.below(7 * 24 * 60) * 60_000;
        const admitted = new Set(draw.some(OWNERS, 0, 6));
        const asked: string[] = [];
        const found = index.match(view, nowMs, (owner) => {
          asked.push(owner);
          return admitted.has(owner);
        });
        const expected = naiveMatches(model, view, nowMs, (owner) => admitted.has(owner));
        if (!isDeepStrictEqual(inOrder(found), expected)) {
          const wrong = wronglyJudged(inOrder(found), expected).map((id) => model.get(id));
          throw new Error(`seed ${seed}, step ${step}: ${JSON.stringify({ wrong, view, nowMs }, null, 1)}`);
        }
        expect(new Set(asked).size, 'asks for an owner once').to.equal(asked.length);
        compared += model.size;
        matched += found.length;
      }
      for (const id of model.keys()) index.remove(id);
      const nothing = { campaigns: 0, conjunctions: 0, predicates: 0, places: 0, nodes: 1 };
      expect(index.stats(), `seed ${seed}: keeps nothing of what is gone`).to.deep.equal(nothing);
    }
    expect(matched / compared, 'both outcomes were seen often').to.be.within(0.02, 0.9);
  });

  it('finds campaigns of more values than it remembers the conditions of, in whatever order they come back', () => {
    const index = new CampaignIndex();
    const count = 9_998;
    const put = (at: number, value: string) => {
      const conditions = [{ field: 'site.domain', operator: 'eq', value } as const];
      const rules = [{ rule_id: 'r', campaign_id: `c${at}`, conditions }];
      const creative = { creative_id: 'v', vast_url: 'https://ads.example/v.xml' };
      const campaign = { campaign_id: `c${at}`, campaign_name: 'C', creative, bidding: { base_cpm: 1 } };
      index.put(`c${at}`, 'a', { campaign, rules, defaultBidCpm: 1, paused: false } as never);
    };
    for (let at = 0; at < count; at++) put(at, `site-${at}.example`);
    for (let at = 0; at < count; at += 3) put(at, ` SITE-${(at + 1) % count}.example`);
    const found = (domain: string) => {
      const imp = { id: '1', video: { mimes: ['video/mp4'] } };
      const view = { request: { id: 'r', imp: [imp], site: { domain } }, imp, publisherGenre: null } as never;
      return inOrder(index.match(view, START_MS, () => true)).map(({ id }) => id);
    };
    for (let at = 0; at < count - 1; at += 997) {
      const expected = [...(at % 3 === 0 ? [] : [`c${at}`]), ...(at % 3 === 1 ? [`c${at - 1}`] : [])].sort();
      expect(found(`site-${at}.example`)).to.deep.equal(expected);
    }
    for (let at = 0; at < count; at++) index.remove(`c${at}`);
    expect(index.stats()).to.deep.equal({ campaigns: 0, conjunctions: 0, predicates: 0, places: 0, nodes: 1 });
  });

  it('explains as the naive evaluator does', () => {
    for (let round = 0; round < 150; round++) {
      const seed = `${SEED}/explained/${round}`;
      const draw = new RandomChoices(seed);
      const abundance = randomAbundance(draw);
      const campaigns = Array.from({ length: 20 }, (_, at) => randomCampaign(draw, `c${at}`, abundance));
      const view = randomView(draw);
      const at = { nowMs: START_MS + draw.below(7 * 24 * 60) * 60_000, random: () => 0.7 };
      expect(explainCampaigns(campaigns, view, at), `seed ${seed}`).to.deep.equal(
        evaluateCampaigns(campaigns, view, at),
      );
    }
  });
});

/** Ids of which one side says something that the other does not. */
function wronglyJudged(found: readonly { readonly id: string }[], expected: readonly { readonly id: string }[]) {
  const texts = (side: readonly { readonly id: string }[]) =>
    new Map(side.map((match) => [JSON.stringify(match), match.id]));
  const [ours, theirs] = [texts(found), texts(expected)];
  return [...ours, ...theirs].flatMap(([text, id]) => (ours.has(text) && theirs.has(text) ? [] : id));
}
