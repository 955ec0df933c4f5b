import type { BiddingCampaign } from '../../exchange/strategy/bidding-campaign.ts';
import type { Targeting } from '../../exchange/strategy/document/campaign.ts';
import type { Condition } from '../../exchange/strategy/document/rule.ts';
import type { TargetingContext } from '../../exchange/strategy/read-field.ts';
import { seededRandom } from '../../runtime/node/seeded-random.ts';

/**
 * The meaning of "10% match one clause". `each`: any one condition holds for 10% of the requests, so that more than
 * half of the campaigns have one that holds. `some`: 10% of the campaigns have one that holds. `nearly-all`: as `some`,
 * and nine of ten campaigns may bid.
 */
export type Selectivity = 'each' | 'some' | 'nearly-all';

interface Field {
  readonly path: string;
  /** `list`: conditions on any three of three times as many values. */
  readonly by: 'value' | 'list' | 'number';
}

const FIELDS: readonly Field[] = [
  { path: 'geo.country', by: 'value' },
  { path: 'device.devicetype', by: 'value' },
  { path: 'device.os', by: 'value' },
  { path: 'device.make', by: 'list' },
  { path: 'device.language', by: 'value' },
  { path: 'device.carrier', by: 'list' },
  { path: 'geo.region', by: 'value' },
  { path: 'geo.city', by: 'list' },
  { path: 'content.genre', by: 'value' },
  { path: 'site.domain', by: 'list' },
  { path: 'site.cat', by: 'list' },
  { path: 'user.yob', by: 'number' },
  { path: 'imp.bidfloor', by: 'number' },
];
/** The number of values of a field, all equally frequent; a condition on one value holds for one of them. */
const VALUES: Readonly<Record<Selectivity, number>> = {
  each: 10,
  // 1 - (1 - 1/76)^8 is about 0.1.
  some: 76,
  'nearly-all': 76,
};
const LIST = 3;
const NUMBERS: ReadonlySet<string> = new Set(['device.devicetype', 'user.yob', 'imp.bidfloor']);

/** ISO 3166 codes, as many as a field has values. */
const COUNTRIES =
  'DEU FRA GBR ITA ESP POL NLD BEL AUT CHE SWE NOR DNK FIN IRL PRT GRC CZE HUN ROU BGR HRV SRB SVN SVK EST LVA LTU UKR TUR USA CAN MEX BRA ARG CHL COL PER VEN ECU JPN KOR CHN IND IDN THA VNM PHL MYS SGP AUS NZL ZAF EGY NGA KEN MAR DZA TUN GHA ARE SAU QAT KWT OMN BHR ISR JOR LBN IRQ IRN PAK BGD LKA NPL KAZ UZB GEO ARM AZE'.split(
    ' ',
  );

/** Generates campaigns and requests from a seed. Each campaign has 6 to 10 conditions, targeting included. */
export class Market {
  readonly #random = seededRandom('market');
  readonly #selectivity: Selectivity;

  constructor(selectivity: Selectivity) {
    this.#selectivity = selectivity;
  }

  /** A campaign as an edge gets it: parsed, so that it shares no object with another. */
  campaign(at: number): BiddingCampaign {
    const conditions = this.#fields(6 + this.#below(5)).map((field) => this.#condition(field));
    const country = conditions.findIndex(({ field, operator }) => field === 'geo.country' && operator === 'eq');
    const [targeted] = country === -1 ? [] : conditions.splice(country, 1);
    const targeting: Targeting = targeted === undefined ? {} : { countries: [targeted.value] };
    const id = `campaign-${at}`;
    const document: BiddingCampaign = {
      campaign: {
        campaign_id: id,
        campaign_name: `Campaign ${at}`,
        priority: this.#below(3),
        targeting,
        bidding: { base_cpm: 1 + this.#below(900) / 100, max_cpm: 20 },
        creative: { creative_id: 'v', vast_url: `https://ads.example/${id}.xml` },
      },
      rules: [{ rule_id: `rule-${at}`, campaign_id: id, conditions, bid_multiplier: 1.2 }],
      defaultBidCpm: 1,
      paused: false,
    };
    return JSON.parse(JSON.stringify(document)) as BiddingCampaign;
  }

  view(): TargetingContext {
    const value = (path: string) => spelled(path, this.#below(this.#valuesOf(path)));
    const imp = { id: '1', bidfloor: Number(value('imp.bidfloor')), video: { mimes: ['video/mp4'] } };
    const request = {
      id: 'r',
      imp: [imp],
      site: { domain: value('site.domain'), cat: [value('site.cat')], content: { genre: value('content.genre') } },
      device: {
        devicetype: Number(value('device.devicetype')),
        os: value('device.os'),
        make: value('device.make'),
        language: value('device.language'),
        carrier: value('device.carrier'),
        geo: { country: value('geo.country'), region: value('geo.region'), city: value('geo.city') },
      },
      user: { yob: Number(value('user.yob')) },
    };
    return { request, imp, publisherGenre: null } as TargetingContext;
  }

  #condition({ path, by }: Field): Condition {
    const values = this.#valuesOf(path);
    const isNegated = this.#selectivity === 'nearly-all';
    if (by === 'number') return { field: path, operator: isNegated ? 'gte' : 'lt', value: '1' };
    const length = by === 'list' ? LIST : 1;
    const value = Array.from({ length }, () => spelled(path, this.#below(values))).join(',');
    if (by === 'list') return { field: path, operator: isNegated ? 'not_in' : 'in', value };
    return { field: path, operator: isNegated ? 'neq' : 'eq', value };
  }

  #valuesOf(path: string): number {
    const isList = FIELDS.some((field) => field.path === path && field.by === 'list');
    return VALUES[this.#selectivity] * (isList ? LIST : 1);
  }

  #fields(count: number): Field[] {
    const left = [...FIELDS];
    return Array.from({ length: count }, () => left.splice(this.#below(left.length), 1)[0]!);
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}

function spelled(path: string, value: number): string {
  if (path === 'geo.country') return COUNTRIES[value]!;
  return NUMBERS.has(path) ? String(value) : `value-${value}`;
}
