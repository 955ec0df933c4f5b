import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { Strategy } from '../document/strategy.ts';
import { campaignFaults } from './campaign.ts';
import { complexityFaults } from './complexity.ts';
import { join, type StrategyFault, type ValidationContext } from './fault.ts';
import { ruleFaults } from './rule.ts';
import { MAX_FAULTS, schemaFaults } from './schema-faults.ts';

/** What the validation of a strategy depends on besides the document. */
export interface StrategyValidationContext extends ValidationContext {
  /** The demand source that the strategy belongs to. */
  readonly dspId: string;
  /** The campaign ids that the demand source already uses through the Campaign API. */
  readonly takenCampaignIds: ReadonlySet<string>;
}

const byShape = schemaFaults(Strategy);

/** All faults of a strategy, at most {@link MAX_FAULTS}, in the order of the document's parts; none for a valid one. */
export function strategyFaults(document: unknown, options: StrategyValidationContext): StrategyFault[] {
  const faults = [...byShape(document), ...(isObject(document) ? semanticFaults(document, options) : [])];
  const placed = faults.map((fault) => ({ fault, place: placeOf(fault.path) }));
  placed.sort((a, b) => a.place.section - b.place.section || a.place.index - b.place.index);
  return placed.map(({ fault }) => fault).slice(0, MAX_FAULTS);
}

function* semanticFaults(document: JsonObject, options: StrategyValidationContext): Generator<StrategyFault> {
  const { dsp_id: dspId } = document;
  if (typeof dspId === 'string' && dspId.toLowerCase() !== options.dspId.toLowerCase()) {
    yield { path: 'dsp_id', message: 'must be the id of the demand source it is uploaded to' };
  }
  const campaigns = elementsOf(document.campaigns);
  for (const [index, campaign] of campaigns) {
    const path = join('campaigns', index);
    yield* campaignFaults(campaign, path, options);
    const { campaign_id: id } = campaign;
    if (typeof id === 'string' && options.takenCampaignIds.has(id)) yield takenIdFault(index, id);
  }
  yield* repeatedIds(campaigns, 'campaigns', 'campaign_id');
  const campaignIds = new Set(campaigns.map(([, campaign]) => campaign.campaign_id));
  const rules = elementsOf(document.rules);
  for (const [index, rule] of rules) yield* ruleFaults(rule, join('rules', index), campaignIds);
  yield* repeatedIds(rules, 'rules', 'rule_id');
  yield* complexityFaults(rules);
}

/** The fault of the campaign at this index, whose id the demand source uses through the Campaign API. */
export function takenIdFault(index: number, campaignId: string): StrategyFault {
  const path = join(join('campaigns', index), 'campaign_id');
  return { path, message: `${campaignId} is a campaign of the Campaign API` };
}

function elementsOf(list: unknown): [number, JsonObject][] {
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter((entry): entry is [number, JsonObject] => isObject(entry[1]));
}

function* repeatedIds(
  elements: readonly [number, JsonObject][],
  list: string,
  field: 'campaign_id' | 'rule_id',
): Generator<StrategyFault> {
  const first = new Map<string, number>();
  for (const [index, { [field]: id }] of elements) {
    if (typeof id !== 'string') continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else yield { path: join(join(list, index), field), message: `${id} is the id of ${list}[${earlier}]` };
  }
}

const sections = ['version', 'dsp_id', 'default_bid', 'campaigns', 'rules'];

/** The place of a path in the document, as far as the order matters: which part, and which element of it. */
function placeOf(path: string): { section: number; index: number } {
  const [, section = '', index = '-1'] = /^([^.[]*)(?:\[(\d+)\])?/.exec(path) ?? [];
  const position = sections.indexOf(section);
  return { section: position === -1 ? sections.length : position, index: Number(index) };
}
