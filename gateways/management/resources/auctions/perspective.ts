import type { Scope } from '../../../../actors/account/scope.ts';
import { sees } from '../../../../actors/account/scope.ts';
import { sourceKey } from '../../../../actors/auction-record/found-by.ts';
import type { AuctionRecord, RecordedPart } from '../../../../actors/auction-record/record.ts';
import { dsp } from '../../../../actors/dsp/dsp.ts';
import { publisher } from '../../../../actors/publisher/publisher.ts';
import type { Condition } from '../../../../runtime/ports/store.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import type { ManagementParts } from '../../parts.ts';
import { ownSources } from '../visible-sources.ts';

interface Source {
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly sandboxGeneration: number;
}

/**
 * What a caller sees of an auction (decision 0033): `whole` is for who owns the publisher, and for operators; `parts` is what the
 * caller's own demand sources had to do with it.
 */
export type Perspective =
  | { readonly sees: 'whole' }
  | { readonly sees: 'parts'; readonly parts: readonly RecordedPart[] };

/** Null where the auction does not exist for the caller: neither its publisher's nor any of its demand, or flushed since. */
export async function perspectiveOn(
  parts: ManagementParts,
  record: AuctionRecord,
  caller: Caller,
): Promise<Perspective | null> {
  if (record.sandbox !== caller.sandbox) return null;
  if (seesAll(caller)) return { sees: 'whole' };
  const own = record.parts.filter(({ accountId }) => accountId === caller.accountId);
  const keys = [
    ...(record.publisher === null ? [] : [{ kind: publisher.kind, id: record.publisher.id }]),
    ...own.map(({ dspId }) => ({ kind: dsp.kind, id: dspId })),
  ];
  const states = new Map<string, Source>();
  for (const document of await parts.store.load(keys)) {
    if (document && !document.deleted) states.set(document.id, document.state as Source);
  }
  const holds = (id: string, generation: number) => {
    const state = states.get(id);
    if (state === undefined || !sees(ownScope(caller), state)) return false;
    return !record.sandbox || state.sandboxGeneration === generation;
  };
  if (record.publisher !== null && holds(record.publisher.id, record.publisher.generation)) return { sees: 'whole' };
  const seen = own.filter(({ dspId, generation }) => holds(dspId, generation));
  return seen.length === 0 ? null : { sees: 'parts', parts: seen };
}

/** Operators see what is anybody's, unless they act for a partner. */
export function seesAll(caller: Caller): boolean {
  return isOperator(caller) && caller.partnerId === null;
}

/** What finds the auctions of the caller's own publishers. */
export async function ownAuctions(parts: ManagementParts, caller: Caller): Promise<Record<string, Condition>> {
  const { sandbox } = caller;
  if (seesAll(caller)) return { sandbox };
  if (!sandbox && caller.partnerId === null) return { sandbox, accountId: caller.accountId };
  // A source's past is whose the source is now; and in the sandbox, what was flushed is gone.
  const { documents } = await parts.store.query(publisher.kind, { where: ownSources(caller) });
  const keys = documents.map(({ id, state }) => sourceKey(id, sandbox, (state as Source).sandboxGeneration));
  return { sandbox, publisherKey: { in: keys } };
}

/** Whatever its environment: a live publisher may be rehearsed with, in the sandbox. */
export function ownScope({ scope }: Pick<Caller, 'scope'>): Scope {
  return { ...scope, sandboxOnly: false };
}
