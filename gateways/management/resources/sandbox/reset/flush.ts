import type { Scope } from '#actors/account/scope';
import { mapLimit } from '#async/map-limit';
import type { ManagementDeps } from '#gateways/management/deps';
import type { Caller } from '#gateways/management/identity/caller';
import type { RequestIds } from '#gateways/management/identity/request-ids';
import { Rejected } from '#runtime/actor/errors';
import { ledgerOwners } from '../../metrics/load-ledgers.ts';
import { ownSourcesWhere } from '../../sources-where.ts';
import { sourcesWithFigures } from './sources-with-figures.ts';
import { waitForReplica } from './wait-for-replica.ts';

interface Source {
  readonly id: string;
  readonly status: string;
}

/** A kind of source, with the message that flushes one source of it. */
export interface FlushableKind {
  readonly kind: 'publisher' | 'dsp';
  ask(id: string, body: { readonly scope: Scope }, requestId: string | undefined): Promise<Flushed>;
}

interface Flushed {
  readonly sandboxGeneration: number;
}

/** The number of concurrent asks. */
const AT_ONCE = 64;

/**
 * Flushes the sandbox of every source of the caller's account or partner. Resolves with the number of sources that are
 * in the sandbox or had figures there.
 *
 * Live sources are flushed too, though their own state stays as it is: a live publisher may have been tried in the
 * sandbox, and an edge may still hold counts of that trial that no ledger has received.
 */
export async function flushSandbox(
  deps: ManagementDeps,
  { kind, ask }: FlushableKind,
  caller: Caller,
  identity: RequestIds,
): Promise<number> {
  const { accountId, partnerId } = caller;
  const { documents } = await deps.store.query(kind, { where: ownSourcesWhere(caller) });
  const sources: Source[] = documents.map(({ id, state }) => ({ id, status: (state as Source).status }));
  const outside = documents.filter(({ state }) => (state as Source).status !== 'sandbox');
  const withFigures = await sourcesWithFigures(deps, ledgerOwners(kind, outside, true));

  const scope = { accountId, partnerId, sandboxOnly: false };
  const generations = new Map<string, number>();
  await mapLimit(sources, AT_ONCE, async ({ id }) => {
    try {
      const state = await ask(id, { scope }, identity.askId(`${kind}/${id}`));
      generations.set(id, state.sandboxGeneration);
    } catch (error) {
      // The source was moved to another partner after it was listed.
      if (!(error instanceof Rejected && error.code === 'NOT_FOUND')) throw error;
    }
  });
  await waitForReplica(deps, kind, generations);
  return sources.filter(({ id, status }) => generations.has(id) && (status === 'sandbox' || withFigures.has(id)))
    .length;
}
