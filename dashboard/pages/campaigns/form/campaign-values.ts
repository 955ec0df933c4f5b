import type { Campaign } from '../campaign.ts';
import { creativesOf } from '../campaign.ts';
import { type CreativeValues, creativeBody, creativeValues, NEW_CREATIVE } from './creative-values.ts';
import { number, text, type Written } from './written.ts';

/**
 * What the form of a campaign holds. Its members are named as the API's fields, whose faults are shown beside them;
 * budgets are in dollars, numbers are empty text where nothing is written.
 */
export interface CampaignValues {
  readonly dsp_id: string;
  readonly campaign_name: string;
  readonly priority: Written;
  readonly bidding: { readonly base_cpm: Written; readonly max_cpm: Written };
  readonly budget: { readonly daily_cents: Written; readonly total_cents: Written; readonly pacing: string };
  readonly frequency_cap: { readonly max_impressions: Written; readonly window_hours: Written };
  readonly targeting: {
    readonly countries: readonly string[];
    readonly devices: readonly string[];
    readonly genres: readonly string[];
    readonly hours: string;
    readonly days: string;
    readonly timezone: string;
  };
  readonly adomain: readonly string[];
  readonly categories: readonly string[];
  readonly rotation_strategy: string;
  readonly creatives: readonly CreativeValues[];
}

export function newCampaign(dspId: string): CampaignValues {
  return {
    dsp_id: dspId,
    campaign_name: '',
    priority: '',
    bidding: { base_cpm: '', max_cpm: '' },
    budget: { daily_cents: '', total_cents: '', pacing: 'linear' },
    frequency_cap: { max_impressions: '', window_hours: '' },
    targeting: { countries: [], devices: [], genres: [], hours: '', days: '', timezone: '' },
    adomain: [],
    categories: [],
    rotation_strategy: 'weighted',
    creatives: [{ ...NEW_CREATIVE, creative_id: 'creative-1' }],
  };
}

export function valuesOf(campaign: Campaign): CampaignValues {
  const { bidding = {}, budget = {}, targeting = {}, frequency_cap: cap } = campaign;
  const listed = (said: string | readonly (string | number)[] | undefined) =>
    typeof said === 'string' ? said : (said ?? []).join(',');
  return {
    dsp_id: campaign.dsp_id,
    campaign_name: campaign.campaign_name,
    priority: campaign.priority ?? '',
    bidding: { base_cpm: bidding.base_cpm ?? '', max_cpm: bidding.max_cpm ?? '' },
    budget: {
      daily_cents: dollarsOf(budget.daily_cents),
      total_cents: dollarsOf(budget.total_cents),
      pacing: budget.pacing ?? 'linear',
    },
    frequency_cap: { max_impressions: cap?.max_impressions ?? '', window_hours: cap?.window_hours ?? '' },
    targeting: {
      countries: targeting.countries ?? [],
      devices: targeting.devices ?? [],
      genres: targeting.genres ?? [],
      hours: listed(targeting.hours),
      days: listed(targeting.days),
      timezone: targeting.timezone ?? '',
    },
    adomain: campaign.adomain ?? [],
    categories: campaign.categories ?? [],
    rotation_strategy: campaign.rotation_strategy,
    creatives: creativesOf(campaign).map(creativeValues),
  };
}

type Body = Readonly<Record<string, unknown>>;

/** As the API takes a new campaign: empty fields are left out. */
export function bodyOf(values: CampaignValues): Body {
  const { targeting, budget, bidding, frequency_cap: cap } = values;
  return said({
    campaign_name: values.campaign_name,
    priority: number(values.priority),
    bidding: said({ base_cpm: number(bidding.base_cpm), max_cpm: number(bidding.max_cpm) }),
    budget: said({
      daily_cents: cents(budget.daily_cents),
      total_cents: cents(budget.total_cents),
      ...((budget.daily_cents !== '' || budget.pacing !== 'linear') && { pacing: budget.pacing }),
    }),
    frequency_cap: said({ max_impressions: number(cap.max_impressions), window_hours: number(cap.window_hours) }),
    targeting: said({
      ...targeting,
      hours: text(targeting.hours),
      days: text(targeting.days),
      timezone: text(targeting.timezone),
    }),
    adomain: values.adomain,
    categories: values.categories,
    rotation_strategy: values.rotation_strategy,
    creatives: values.creatives.map(creativeBody),
  });
}

/** These are merged by the API: of them, only the fields that changed are said. */
const MERGED: ReadonlySet<string> = new Set(['bidding', 'budget', 'frequency_cap', 'targeting']);

/** What of it was changed, as the API takes it; null takes a field away. */
export function changesOf(before: CampaignValues, after: CampaignValues): Body {
  return differences(bodyOf(before), bodyOf(after), true);
}

function differences(before: Body, after: Body, merging: boolean): Body {
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name], after[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const both = merging && MERGED.has(name) && was !== undefined && is !== undefined;
    changed[name] = is === undefined ? null : both ? differences(was as Body, is as Body, false) : is;
  }
  return changed;
}

/** Without what nobody said anything of: undefined, empty lists, empty objects. */
function said(fields: Readonly<Record<string, unknown>>): Body {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value as object).length > 0),
    ),
  );
}

const cents = (written: Written) => (written === '' ? undefined : Math.round(Number(written) * 100));
const dollarsOf = (amount: number | undefined) => (amount === undefined || amount === 0 ? '' : amount / 100);
