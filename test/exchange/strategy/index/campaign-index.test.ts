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
