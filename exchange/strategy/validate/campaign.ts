import { isPoliticalCategory, isProhibitedCategory } from '../../auction/prohibited.ts';
import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { countryOf } from '../countries.ts';
import { DEVICE_NAMES, deviceTypesOf } from '../devices.ts';
import { creativeFaults } from './creative.ts';
import { join, type StrategyFault, type ValidationContext } from './fault.ts';
import { timeFaults } from './time.ts';

/** The faults of a campaign that a schema cannot express. */
export function* campaignFaults(
  campaign: JsonObject,
  path: string,
  options: ValidationContext,
): Generator<StrategyFault> {
  const { creative, creatives, targeting, bidding, categories } = campaign;
  if (creative !== undefined && creatives !== undefined) {
    yield { path: join(path, 'creatives'), message: 'cannot stand beside creative: exactly one of the two is there' };
  }
  if (creative === undefined && creatives === undefined) {
    yield { path: join(path, 'creative'), message: 'is required, or creatives in its place' };
  }
  if (isObject(creative)) yield* creativeFaults(creative, join(path, 'creative'), options);
  if (Array.isArray(creatives)) yield* creativeListFaults(creatives, join(path, 'creatives'), options);
  yield* categoryFaults(categories, join(path, 'categories'));
  if (isObject(targeting)) yield* targetingFaults(targeting, join(path, 'targeting'));
  if (isObject(bidding)) yield* biddingFaults(bidding, join(path, 'bidding'));
  if (campaign.version === '1.0') {
    for (const name of ['creatives', 'rotation_strategy']) {
      if (campaign[name] !== undefined) yield { path: join(path, name), message: 'is of version 2.0' };
    }
  }
}

function* creativeListFaults(
  creatives: readonly unknown[],
  path: string,
  options: ValidationContext,
): Generator<StrategyFault> {
  const seen = new Set<unknown>();
  for (const [index, creative] of creatives.entries()) {
    if (!isObject(creative)) continue;
    const at = join(path, index);
    yield* creativeFaults(creative, at, options);
    const { creative_id: id } = creative;
    if (typeof id !== 'string') continue;
    if (seen.has(id)) yield { path: join(at, 'creative_id'), message: `${id} is the id of another creative` };
    seen.add(id);
  }
}

/**
 * Reports categories that would lose every auction (specification, "Blocked categories") when the campaign is saved.
 */
function* categoryFaults(categories: unknown, path: string): Generator<StrategyFault> {
  for (const [index, category] of entriesOf(categories)) {
    if (isProhibitedCategory(category)) {
      yield { path: join(path, index), message: `${category} is a category that this exchange does not sell to` };
    } else if (isPoliticalCategory(category)) {
      const message = 'political advertising is sold with a disclosure of who pays, which a campaign cannot carry';
      yield { path: join(path, index), message };
    }
  }
}

function* targetingFaults(targeting: JsonObject, path: string): Generator<StrategyFault> {
  const { countries, devices } = targeting;
  for (const [index, country] of entriesOf(countries)) {
    if (countryOf(country) !== null) continue;
    yield { path: join(join(path, 'countries'), index), message: `${country} is no ISO 3166 country code` };
  }
  for (const [index, device] of entriesOf(devices)) {
    if (deviceTypesOf(device) !== null) continue;
    const names = DEVICE_NAMES.join(', ');
    yield { path: join(join(path, 'devices'), index), message: `must be one of ${names}, or an OpenRTB device type` };
  }
  yield* timeFaults(targeting, path);
}

function entriesOf(list: unknown): [number, string][] {
  if (!Array.isArray(list)) return [];
  return [...list.entries()].filter((entry): entry is [number, string] => typeof entry[1] === 'string');
}

function* biddingFaults({ base_cpm: base, max_cpm: max }: JsonObject, path: string): Generator<StrategyFault> {
  if (typeof base === 'number' && typeof max === 'number' && max < base) {
    yield { path: join(path, 'max_cpm'), message: `must not be below base_cpm, ${base}` };
  }
}
