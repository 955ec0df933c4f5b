import type { Scope } from '#actors/account/scope';
import { isInScope } from '#actors/account/scope';
import type { AuctionRecord, RecordedParticipation } from '#actors/auction-record/record';
import { indexedSourceId } from '#actors/auction-record/record-index';
import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import type { Condition } from '#runtime/ports/store';
import type { ManagementDeps } from '../../deps.ts';
import { type Caller, isOperator } from '../../identity/caller.ts';
import { ownSourcesWhere } from '../sources-where.ts';

interface Source {
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly sandboxGeneration: number;
}

/**
 * The part of an auction that a caller sees (decision 0033). Owners of the publisher, and operators, see the `whole`;
 * other callers see `parts`, the participations of their own demand sources.
 */
export type Perspective =
  | { readonly sees: 'whole' }
  | { readonly sees: 'parts'; readonly parts: readonly RecordedParticipation[] };

/** The perspectives of one caller during one request; each source is loaded once. */
export class Perspectives {
  readonly #parts: ManagementDeps;
  readonly #caller: Caller;
  readonly #sources = new Map<string, Promise<Source | null>>();

  constructor(deps: ManagementDeps, caller: Caller) {
    this.#parts = deps;
    this.#caller = caller;
  }

  /**
   * The caller's perspective on an auction; null when the auction does not exist for the caller: neither the publisher
   * nor any of the demand is the caller's, or the auction was flushed since.
   */
  async on(record: AuctionRecord): Promise<Perspective | null> {
    const { publisher: seller, sandbox } = record;
    if (sandbox !== this.#caller.sandbox) return null;
    if (seesAll(this.#caller)) return { sees: 'whole' };
    if (seller !== null && (await this.#holds(publisher.kind, seller.id, sandbox, seller.generation))) {
      return { sees: 'whole' };
    }
    const own = record.parts.filter(({ accountId }) => accountId === this.#caller.accountId);
    const isVisible = await Promise.all(
      own.map(({ dspId, generation }) => this.#holds(dsp.kind, dspId, sandbox, generation)),
    );
    const visible = own.filter((_, index) => isVisible[index]);
    return visible.length === 0 ? null : { sees: 'parts', parts: visible };
  }

  async #holds(kind: string, id: string, sandbox: boolean, generation: number): Promise<boolean> {
    const state = await this.#source(kind, id);
    if (state === null || !isInScope(ownScope(this.#caller), state)) return false;
    return !sandbox || state.sandboxGeneration === generation;
  }

  #source(kind: string, id: string): Promise<Source | null> {
    const name = `${kind}/${id}`;
    let source = this.#sources.get(name);
    if (source === undefined) {
      source = this.#parts.store.load([{ kind, id }]).then(([document]) => {
        return document && !document.deleted ? (document.state as Source) : null;
      });
      this.#sources.set(name, source);
    }
    return source;
  }
}

/** Whether the caller sees the auctions of all accounts: operators do, unless they act for a partner. */
export function seesAll(caller: Caller): boolean {
  return isOperator(caller) && caller.partnerId === null;
}

/** The condition for the auctions of the caller's own publishers. */
export async function ownAuctions(deps: ManagementDeps, caller: Caller): Promise<Record<string, Condition>> {
  const { sandbox } = caller;
  if (seesAll(caller)) return { sandbox };
  if (!sandbox && caller.partnerId === null) return { sandbox, accountId: caller.accountId };
  // A source's past auctions belong to the present owner of the source; in the sandbox, flushed auctions are gone.
  const { documents } = await deps.store.query(publisher.kind, { where: ownSourcesWhere(caller) });
  const keys = documents.map(({ id, state }) => indexedSourceId(id, sandbox, (state as Source).sandboxGeneration));
  return { sandbox, publisherKey: { in: keys } };
}

/** The caller's scope in both environments, since a live publisher can also be tried in the sandbox. */
export function ownScope({ scope }: Pick<Caller, 'scope'>): Scope {
  return { ...scope, sandboxOnly: false };
}
