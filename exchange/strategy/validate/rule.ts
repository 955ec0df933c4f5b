import { isObject, type JsonObject } from '../../openrtb/shape.ts';
import { conditionFaults } from './condition.ts';
import { join, type StrategyFault } from './fault.ts';
import { timeFaults } from './time.ts';

/** The faults of a rule that a schema cannot express. `campaignIds` are those of its strategy. */
export function* ruleFaults(
  rule: JsonObject,
  path: string,
  campaignIds: ReadonlySet<unknown>,
): Generator<StrategyFault> {
  const { campaign_id: campaignId, conditions, schedule } = rule;
  if (typeof campaignId === 'string' && campaignId !== '' && !campaignIds.has(campaignId)) {
    yield { path: join(path, 'campaign_id'), message: `there is no campaign ${campaignId}` };
  }
  if (Array.isArray(conditions)) {
    for (const [index, condition] of conditions.entries()) {
      if (isObject(condition)) yield* conditionFaults(condition, join(join(path, 'conditions'), index));
    }
  }
  if (rule.bid_cpm !== undefined && rule.bid_multiplier !== undefined) {
    yield { path: join(path, 'bid_multiplier'), message: 'cannot stand beside bid_cpm' };
  }
  if (isObject(schedule)) yield* timeFaults(schedule, join(path, 'schedule'));
}
