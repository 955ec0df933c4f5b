import { isInScope, type ScopedResource } from '#actors/account/scope';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { ApiError } from '#gateways/errors';
import type { Condition } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import type { Caller, SourceCaller } from '../../identity/caller.ts';
import { seesAll } from '../auctions/perspective.ts';

type Store = Pick<ManagementDeps, 'store'>;

/**
 * Loads a creative that the caller sees: of one of its demand sources, or, for a partner, offered to one of its supply
 * sources; operators see all. NOT_FOUND for any other.
 */
export async function loadCreative(parts: Store, id: string, caller: Caller): Promise<CreativeState> {
  const state = await load(parts, id);
  if (state === null) throw notThere();
  if (seesAll(caller) && (state.sandbox || !caller.sandbox)) return state;
  if (isInScope(caller.scope, state)) return state;
  if (state.accountId !== caller.accountId || (caller.scope.sandboxOnly && !state.sandbox)) throw notThere();
  const offeredTo = await loadPublishers(parts, state.publisherIds);
  if (![...offeredTo.values()].some((one) => isInScope(caller.scope, one))) throw notThere();
  return state;
}

/** Loads a creative that was offered to this supply source, or is of this demand source; NOT_FOUND for any other. */
export async function loadCreativeOfSource(parts: Store, id: string, source: SourceCaller): Promise<CreativeState> {
  const state = await load(parts, id);
  const isOwn =
    state !== null && (source.kind === 'dsp' ? state.dspId === source.id : state.publisherIds.includes(source.id));
  if (!isOwn) throw notThere();
  return state;
}

async function load({ store }: Store, id: string): Promise<CreativeState | null> {
  const [document] = await store.load([{ kind: creative.kind, id }]);
  const state = document && !document.deleted ? (document.state as CreativeState) : null;
  return state === null || state.accountId === '' ? null : state;
}

export async function loadPublishers(
  { store }: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PublisherState>> {
  const documents = await store.load(ids.map((id) => ({ kind: publisher.kind, id })));
  return new Map(
    documents.flatMap((document) =>
      document && !document.deleted ? [[document.id, document.state as PublisherState] as const] : [],
    ),
  );
}

/** Loads a source, a pool or an account of any account that the caller reaches; null for what it does not see. */
export async function loadReached<State extends ScopedResource>(
  { store }: Store,
  kind: string,
  id: string,
  caller: Caller,
): Promise<State | null> {
  const [document] = await store.load([{ kind, id }]);
  const state = document && !document.deleted ? (document.state as State) : null;
  if (state === null) return null;
  if (seesAll(caller)) return caller.scope.sandboxOnly && state.sandbox === false ? null : state;
  return isInScope(caller.scope, state) ? state : null;
}

/** The condition for the creatives of the caller's context. */
export function ownCreativesWhere(caller: Caller): Record<string, Condition> {
  const { accountId, partnerId, sandbox } = caller;
  if (seesAll(caller)) return { sandbox };
  return { accountId, sandbox, ...(partnerId === null ? {} : { partnerId }) };
}

function notThere(): ApiError {
  return new ApiError('NOT_FOUND', 'The creative does not exist.');
}
