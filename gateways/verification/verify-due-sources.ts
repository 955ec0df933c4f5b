import { publisher } from '../../actors/publisher/publisher.ts';
import type { PublisherState } from '../../actors/publisher/reduce.ts';
import { type VerificationState, verification } from '../../actors/verification/verification.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { FetchAdsTxt } from './check-ads-txt.ts';
import { type Verifier, verificationSubject } from './verifier.ts';

export interface VerifyDueSourcesDeps {
  readonly verifier: Pick<Verifier, 'rememberingFetch' | 'verify'>;
  readonly store: Pick<StateStore, 'load' | 'query'>;
  readonly logger: Logger;
}

const PAGE = 500;
const AT_ONCE = 64;

/**
 * Verifies each active live source that is due, was never checked, or has another domain now. Sandbox sources are in no
 * sellers.json and are verified on request only. Resolves with the number of checked sources.
 */
export async function verifyDueSources(
  { verifier, store, logger }: VerifyDueSourcesDeps,
  nowMs: number,
  stop: AbortSignal,
): Promise<number> {
  const remembered = verifier.rememberingFetch(stop);
  const fetchFile: FetchAdsTxt = async (host, path) => {
    const fetched = await remembered(host, path);
    // An aborted fetch says nothing about the source.
    stop.throwIfAborted();
    return fetched;
  };
  let checked = 0;
  for (let skip = 0; !stop.aborted; skip += PAGE) {
    const { documents } = await store.query(publisher.kind, {
      where: { status: 'active' },
      orderBy: 'id',
      skip,
      limit: PAGE,
    });
    const known = await store.load(documents.map(({ id }) => ({ kind: verification.kind, id })));
    const due = documents.filter(({ state }, index) => {
      const verified = (known[index]?.state ?? null) as VerificationState | null;
      return (
        verified === null ||
        verified.nextCheckAtMs <= nowMs ||
        verified.about !== verificationSubject(state as PublisherState)
      );
    });
    await mapLimit(due, AT_ONCE, async ({ id, state }) => {
      if (stop.aborted) return;
      try {
        await verifier.verify(id, state as PublisherState, fetchFile);
        checked += 1;
      } catch (err) {
        if (stop.aborted) return;
        // One failure must not stop the other sources; this one is due again in the next run.
        logger.warn({ err, publisher: id }, 'a source could not be verified');
      }
    });
    if (documents.length < PAGE) break;
  }
  return checked;
}
