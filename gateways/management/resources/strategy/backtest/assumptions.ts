import { fieldRetention } from '#exchange/consent/without-personal-data';
import type { BiddingCampaign } from '#exchange/strategy/bidding-campaign';
import type { TestedCampaigns } from './tested-campaigns.ts';

/** The largest number of names in one sentence. */
const MOST_NAMED = 10;

/** The assumptions behind the figures of this backtest, as sentences. */
export function assumptionsOf(
  campaigns: readonly BiddingCampaign[],
  tested: TestedCampaigns,
  unreplayable: number,
): string[] {
  const sentences = [
    'Others bid as they did: nobody would have answered a new rival, and what this demand source itself bid then is left out.',
    'Every impression that is won counts as shown and is paid.',
  ];
  const fields = [...new Set(campaigns.flatMap(({ rules }) => rules.flatMap(({ conditions }) => conditions)))]
    .map(({ field }) => field)
    .filter((field, index, all) => fieldRetention(field) !== 'all' && all.indexOf(field) === index);
  if (fields.length > 0) {
    sentences.push(
      `Records hold nothing of persons, and of pages no queries: conditions on ${named(fields)} are judged without what was there.`,
    );
  }
  if (campaigns.some(({ campaign }) => campaign.frequency_cap !== undefined)) {
    sentences.push('Frequency caps are left aside: records do not say who was shown what.');
  }
  if (campaigns.some(({ campaign }) => campaign.budget !== undefined)) {
    sentences.push(
      'Budgets are spent in the order of time, without pacing: a pace would have spread them over the day.',
    );
  }
  const assumed = [...tested.all()].flatMap(({ assumed: creatives }) =>
    creatives.map(({ creative }) => creative.creative_id),
  );
  if (assumed.length > 0) {
    sentences.push(
      `Nothing is fetched: ${named(assumed)}, not hosted here yet, ${assumed.length === 1 ? 'is' : 'are'} taken for what the document says.`,
    );
  }
  if (unreplayable > 0)
    sentences.push(`${unreplayable} recorded auctions were too large to be kept whole, and are left out.`);
  return sentences;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
