import { isObject, type JsonObject } from '../openrtb/shape.ts';
import type { Campaign } from './document/campaign.ts';

/** Objects of which a change may name single fields; everything else is replaced whole. */
const mergedFields: ReadonlySet<string> = new Set(['targeting', 'bidding', 'budget', 'frequency_cap']);

/**
 * A campaign after a partial update: only what `changes` names becomes another, null takes a field away. `creative`
 * takes the place of `creatives`, and the other way round. What comes out is to be validated.
 */
export function changeCampaign(campaign: Campaign, changes: JsonObject): JsonObject {
  const next: JsonObject = { ...campaign };
  if (isGiven(changes.creative) && changes.creatives === undefined) delete next.creatives;
  if (isGiven(changes.creatives) && changes.creative === undefined) delete next.creative;
  // A campaign that takes what version 1.0 has not becomes one of 2.0.
  if (isGiven(changes.creatives) || isGiven(changes.rotation_strategy)) {
    if (next.version === '1.0') next.version = '2.0';
  }
  for (const [name, change] of Object.entries(changes)) {
    const old = next[name];
    if (mergedFields.has(name) && isObject(change)) {
      const merged = { ...(isObject(old) ? old : {}) };
      for (const [field, value] of Object.entries(change)) put(merged, field, value);
      put(next, name, Object.keys(merged).length === 0 ? null : merged);
    } else {
      put(next, name, change);
    }
  }
  return next;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function put(object: JsonObject, name: string, value: unknown): void {
  if (value === undefined) return;
  if (value === null) delete object[name];
  else object[name] = value;
}
