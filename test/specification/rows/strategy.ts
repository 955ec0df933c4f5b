import { rowsShownIn, rowsShownOnRealServersIn, type Section } from '../row.ts';

export const strategy: Section = {
  title: 'Delegate strategy',
  rows: [
    ...rowsShownIn('delegate-rules.test.ts', {
      'strategy.address.devicetype': 'Conditions can address `device.devicetype`.',
      'strategy.address.country': 'Conditions can address `geo.country`, alpha-2 or alpha-3.',
      'strategy.address.genre': 'Conditions can address `content.genre`, the publisher’s default included.',
      'strategy.operator.eq': '`eq`',
      'strategy.operator.neq': '`neq`',
      'strategy.operator.in': '`in`, a comma list',
      'strategy.operator.not_in': '`not_in`, a comma list',
      'strategy.operator.gt': '`gt`, as numbers',
      'strategy.operator.gte': '`gte`, as numbers',
      'strategy.operator.lt': '`lt`, as numbers',
      'strategy.operator.lte': '`lte`, as numbers',
      'strategy.operator.contains': '`contains`',
      'strategy.operator.starts_with': '`starts_with`',
      'strategy.operator.exists': '`exists`, `"true"` or `"false"`',
      'strategy.absent-field': 'A condition on an absent field is false, except `neq`, `not_in` and `exists "false"`.',
      'strategy.all-conditions': 'A rule matches when all of its conditions hold.',
      'strategy.rule-choice': 'Of matching rules the highest priority counts, then the highest bid.',
      'strategy.bid.rule': 'A rule’s `bid_cpm`, or base CPM × `bid_multiplier`, is the bid.',
      'strategy.field.default_bid': '`default_bid` is a number, bid where nothing else says a price.',
      'strategy.bid.max': 'A bid is never above `max_cpm`.',
      'strategy.hours': 'Hours of day and days of week can be targeted, in a time zone.',
      'strategy.genres': 'Genres can be targeted.',
    }),
    ...rowsShownIn('strategy.test.ts', {
      'strategy.field.version': '`version` is a string.',
      'strategy.field.dsp_id': '`dsp_id` is the id of the demand source.',
      'strategy.field.campaigns': '`campaigns` is an array.',
      'strategy.field.rules': '`rules` is an array.',
      'strategy.value-string':
        'Every rule condition value must be a string; anything else is 422 with the condition’s path.',
      'strategy.replaces': 'A strategy replaces what the last one brought; campaigns of the Campaign API stay.',
      'strategy.same-campaign': 'A `campaign_id` that the Campaign API has too is 422.',
    }),
    ...rowsShownIn('delegate-auctions.test.ts', {
      'strategy.operator.versions':
        'Versions (`device.osv`, `app.ver`) compare as versions: `7.0` satisfies `gte "7"` and `eq "7"`, and 7.10 comes after 7.9.',
      'strategy.one-bid':
        'A demand source bids once per imp: highest priority campaign, then highest bid, ties at random.',
      'strategy.propagation': 'A new strategy decides auctions within 30 s (of all regions: overview.strategy-change).',
    }),
    ...rowsShownIn('caps-and-pacing.test.ts', {
      'strategy.frequency_cap':
        '`frequency_cap.max_impressions` limits a campaign’s impressions on a device, sold or shown, over requests and over imps of one.',
      'strategy.frequency_cap.no-device': 'Without a device id a capped campaign does not bid.',
      'strategy.pacing.linear':
        'Pacing `linear`, the default: a campaign sells as far as its plan, the share of the day that has gone by, and hardly further.',
      'strategy.pacing.aggressive':
        'Pacing `aggressive` sells as far as a plan that is ahead of the linear one all day.',
      'strategy.pacing.conservative':
        'Pacing `conservative` sells as far as a plan that is behind the linear one all day.',
    }),
    ...rowsShownOnRealServersIn('caps-over-edges.test.ts', {
      'strategy.frequency_cap.edges':
        'Two edges together show a device no more than the cap, of any number of requests at once.',
    }),
    ...rowsShownIn('budgets.test.ts', {
      'strategy.pacing.95': 'Nothing is bid past 95% of the daily budget.',
      'strategy.daily-budget-pauses': 'A campaign whose daily budget is spent pauses until midnight UTC.',
      'strategy.midnight': 'Daily budgets begin anew at midnight UTC.',
    }),
  ],
};
