import type { BiddingCampaign } from '#exchange/strategy/bidding-campaign';
import type { Campaign, Targeting } from '#exchange/strategy/document/campaign';
import type { Creative } from '#exchange/strategy/document/creative';
import type { Condition, Rule } from '#exchange/strategy/document/rule';
import type { TimeWindow } from '#exchange/strategy/schedule';
import type { RandomChoices } from './random-choices.ts';
import { CATEGORIES, COUNTRIES, DOMAINS, PAGES, WORDS } from './random-request.ts';

/** Fields, and the values that requests have there. */
const FIELDS: readonly (readonly [string, readonly string[]])[] = [
  ['device.devicetype', ['1', '3', '3.0', ' 4 ', '7']],
  ['imp.bidfloor', ['0', '1.5', '3']],
  ['device.geo.lat', ['-3', '25.20', '1e1']],
  ['device.osv', ['6.5', '6.10', '3', '3.0', '9']],
  ['device.os', ['tizen', 'WebOS']],
  ['geo.country', COUNTRIES],
  ['device.geo.country', [...COUNTRIES, 'zz']],
  ['geo.city', ['dubai', 'LONDON']],
  ['content.genre', WORDS],
  ['site.content.genre', WORDS],
  ['app.content.genre', WORDS],
  ['site.domain', DOMAINS],
  ['app.bundle', DOMAINS],
  ['site.page', PAGES],
  ['app.keywords', PAGES],
  ['site.cat', CATEGORIES],
  ['app.cat', CATEGORIES],
  ['imp.video.mimes', ['video/mp4', 'webm']],
  ['imp.banner.format.w', ['300', '320']],
  ['user.eids.source', ['a.example', ...DOMAINS]],
  ['user.eids.uids.id', ['x', 'y']],
  ['user.ext.segment', WORDS],
  ['user.ext.segment.a.b', WORDS],
  ['user.ext.constructor', WORDS],
  ['user.ext.toString', WORDS],
  ['regs.coppa', ['0', '1']],
  ['device.ppi', ['1']],
];
const OPERATORS = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'exists'] as const;
const PRESENT = ['app', 'site', 'device', 'device.ifa', 'user.ext.segment', 'imp.banner', 'imp.video', 'dooh.id'];
const ZONES = ['UTC', 'Asia/Dubai', 'america/new_york', 'Asia/Kathmandu', 'Pacific/Auckland'];

type Bidding = Campaign['bidding'] & object;

const CREATIVES: readonly Omit<Creative, 'creative_id'>[] = [
  { vast_url: 'https://ads.example/v.xml' },
  { vast_url: 'https://ads.example/a.xml', format: 'audio' },
  { audio_url: 'https://ads.example/a.mp3' },
  { native: { title: 'Native' } },
  { image_url: 'https://ads.example/b.png', width: 300, height: 250 },
  { image_url: 'https://ads.example/c.png', width: 320, height: 50 },
  { image_url: 'https://ads.example/d.png' },
  { html: '<b>', width: 300, height: 250 },
  { html: '<b>', format: 'mraid', width: 320, height: 50 },
];

/** How much of everything there is: small ones share more, and large ones are divided more. */
export interface Abundance {
  /** What conditions are on. */
  readonly fields: typeof FIELDS;
  readonly rules: number;
  readonly conditions: number;
  /** The share of campaigns with each part of a targeting. */
  readonly targeted: number;
}

export function randomAbundance(draw: RandomChoices): Abundance {
  return {
    fields: draw.one([draw.some(FIELDS, 2, 2), draw.some(FIELDS, 6, 6), FIELDS]),
    rules: draw.one([0, 1, 1, 3]),
    conditions: draw.one([1, 2, 5]),
    targeted: draw.one([0, 0.2, 0.5]),
  };
}

export function randomCampaign(draw: RandomChoices, name: string, abundance: Abundance): BiddingCampaign {
  const { rules: mostRules, targeted } = abundance;
  const creatives = draw.some(CREATIVES, 1, 3).map((creative, at) => ({ creative_id: `${at}`, ...creative }));
  const campaign: Campaign = {
    campaign_id: name,
    campaign_name: name,
    ...draw.optional(0.5, { priority: () => draw.below(4) - 2, bidding: () => randomBidding(draw) }),
    ...(draw.chance(0.8) ? { targeting: { ...randomPlaces(draw, targeted), ...randomTime(draw, targeted / 3) } } : {}),
    ...(creatives.length === 1 ? { creative: creatives[0]! } : { creatives }),
  };
  const rules = Array.from({ length: draw.below(mostRules + 1) }, (_, at) => randomRule(draw, name, at, abundance));
  return { campaign, rules, defaultBidCpm: draw.one([0, 1, 2.5]), paused: draw.chance(0.05) };
}

function randomBidding(draw: RandomChoices): Bidding {
  const [low, high] = [draw.below(300) / 100, draw.below(300) / 100 + 3] as const;
  return draw.one<Bidding>([{ base_cpm: low }, { max_cpm: high }, { base_cpm: low, max_cpm: high }, {}]);
}

function randomPlaces(draw: RandomChoices, share: number): Partial<Targeting> {
  return draw.optional<Targeting>(share, {
    countries: () => draw.some(COUNTRIES, 0, 3),
    devices: () => draw.some(['ctv', 'mobile', ' Tablet', 'desktop', '3', '7'], 0, 2),
    genres: () => draw.some(WORDS, 0, 2),
  });
}

function randomTime(draw: RandomChoices, share: number): Pick<Targeting, keyof TimeWindow> {
  return draw.optional<Pick<Targeting, keyof TimeWindow>>(share, {
    hours: () => draw.one(['0-23', '18-23', '22-2', '3', [0, 5, 12, 23]]),
    days: () => draw.one(['mon-sun', 'sat,sun', 'fri-mon', ['Tuesday']]),
    timezone: () => draw.one(ZONES),
  });
}

function randomRule(draw: RandomChoices, campaign: string, at: number, abundance: Abundance): Rule {
  const length = draw.below(abundance.conditions + 1);
  return {
    rule_id: `r${at}`,
    campaign_id: campaign,
    conditions: Array.from({ length }, () => randomCondition(draw, abundance)),
    ...draw.optional<Rule>(0.4, { priority: () => draw.below(3) - 1 }),
    ...draw.one([
      {},
      { bid_cpm: 0 },
      { bid_cpm: 1.25 },
      { bid_cpm: 9 },
      { bid_multiplier: 0.5 },
      { bid_multiplier: 3 },
    ]),
    ...draw.optional<Rule>(0.2, { schedule: () => randomTime(draw, 0.6) as Rule['schedule'] & object }),
  };
}

function randomCondition(draw: RandomChoices, { fields }: Abundance): Condition {
  const [field, values] = draw.one(fields);
  const operator = draw.one(OPERATORS);
  if (operator === 'exists') {
    return { field: draw.one([field, draw.one(PRESENT)]), operator, value: draw.one(['true', 'false']) };
  }
  const isList = operator === 'in' || operator === 'not_in';
  return {
    field,
    operator,
    value: isList ? draw.some(values, 1, values === PAGES ? 40 : 4).join(',') : draw.one(values),
  };
}
