import { isObject, type JsonObject } from '../openrtb/shape.ts';
import type { Campaign } from './document/campaign.ts';

/** Objects of which a change may name single fields. All other values are replaced as a whole. */
const mergedFields: ReadonlySet<string> = new Set(['targeting', 'bidding', 'budget', 'frequency_cap']);

/**
 * Applies a partial update to a campaign: only what `changes` names is changed, and null removes a field. `creative`
 * replaces `creatives`, and the other way round. The result must be validated.
 */
export function changeCampaign(campaign: Campaign, changes: JsonObject): JsonObject {
  const next: JsonObject = { ...campaign };
  if (isGiven(changes.creative) && changes.creatives === undefined) delete next.creatives;
  if (isGiven(changes.creatives) && changes.creative === undefined) delete next.creative;
  // A campaign that gets fields which version 1.0 does not have becomes one of 2.0.
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
