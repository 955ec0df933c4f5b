import { isInScope } from '#actors/account/scope';
import type { CreativeState } from '#actors/creative/reduce';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller } from '../../identity/caller.ts';
import { seesAll } from '../auctions/perspective.ts';
import type { FoundCreative } from './query.ts';
import { loadPublishers } from './visible.ts';

/** Whether the caller sees everything about a creative: of its own demand sources; operators of all. */
export function seesWhole(caller: Caller, state: CreativeState): boolean {
  return seesAll(caller) || isInScope(caller.scope, state);
}

/**
 * A creative for a caller that sees it only because it was offered to its supply sources: no campaign, no reports, and
 * no decisions for other supply sources. `visible` are the supply sources that the caller sees.
 */
function withoutOthers(state: CreativeState, visible: Pick<ReadonlySet<string>, 'has'>): CreativeState {
  const decisions = state.decisions.filter(({ scope, scopeId }) => scope !== 'publisher' || visible.has(scopeId));
  return { ...state, campaignId: null, reports: [], decisions };
}

/** What the caller sees of each creative that it finds. */
export async function seenBy(
  parts: Pick<ManagementDeps, 'store'>,
  caller: Caller,
  found: readonly FoundCreative[],
): Promise<readonly FoundCreative[]> {
  const ofOthers = found.filter(({ state }) => !seesWhole(caller, state));
  if (ofOthers.length === 0) return found;
  const deciding = ofOthers.flatMap(({ state }) =>
    state.decisions.filter(({ scope }) => scope === 'publisher').map(({ scopeId }) => scopeId),
  );
  const publishers = await loadPublishers(parts, [...new Set(deciding)]);
  const visible = new Set([...publishers].filter(([, one]) => isInScope(caller.scope, one)).map(([id]) => id));
  return found.map(({ id, state }) => ({
    id,
    state: seesWhole(caller, state) ? state : withoutOthers(state, visible),
  }));
}
