import { isInScope, type ScopedResource } from '#actors/account/scope';
import { creative } from '#actors/creative/creative';
import { type CreativeState, MOST_PUBLISHERS } from '#actors/creative/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
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

/**
 * Loads a creative that was offered to this supply source, or is of this demand source; NOT_FOUND for any other. One
 * that was offered to more supply sources than it keeps counts as offered to all whose pool its demand source buys
 * from.
 */
export async function loadCreativeOfSource(parts: Store, id: string, source: SourceCaller): Promise<CreativeState> {
  const state = await load(parts, id);
  if (state === null || !(await isOfSource(parts, state, source))) throw notThere();
  return state;
}

async function isOfSource(parts: Store, state: CreativeState, source: SourceCaller): Promise<boolean> {
  if (source.kind === 'dsp') return state.dspId === source.id;
  if (state.publisherIds.includes(source.id)) return true;
  return state.publisherIds.length >= MOST_PUBLISHERS && isSoldTo(parts, state, source);
}

/** Whether the demand source of the creative buys from the pool of the supply source, in the same environment. */
async function isSoldTo(
  { store }: Store,
  { accountId, sandbox, dspId }: CreativeState,
  source: SourceCaller,
): Promise<boolean> {
  if (accountId !== source.accountId || sandbox !== source.sandbox) return false;
  const [seller, buyer] = await store.load([
    { kind: publisher.kind, id: source.id },
    { kind: dsp.kind, id: dspId },
  ]);
  const { poolId = null } = (seller?.state ?? {}) as Partial<PublisherState>;
  const { poolIds = [] } = (buyer?.state ?? {}) as Partial<DspState>;
  return poolId !== null && poolIds.includes(poolId);
}

async function load({ store }: Store, id: string): Promise<CreativeState | null> {
  const [document] = await store.load([{ kind: creative.kind, id }]);
  const state = document && !document.deleted ? (document.state as CreativeState) : null;
  return state === null || state.accountId === '' ? null : state;
}

/** What the pages of creatives read of a supply source. */
const PUBLISHER_FIELDS = ['name', 'poolId', 'accountId', 'partnerId', 'sandbox'] as const;
export type ReviewingPublisher = Pick<PublisherState, (typeof PUBLISHER_FIELDS)[number]>;

export async function loadPublishers(
  { store }: Store,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReviewingPublisher>> {
  const documents = await store.load(
    ids.map((id) => ({ kind: publisher.kind, id })),
    PUBLISHER_FIELDS,
  );
  return new Map(
    documents.flatMap((document) =>
      document && !document.deleted ? [[document.id, document.state as ReviewingPublisher] as const] : [],
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
