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
 * Verifies every active live source whose day is over, that was never looked at, or that has another domain now. Sources of the
 * sandbox are in no sellers.json, and are verified when somebody asks. Resolves with how many were looked at.
 */
export async function verifyDueSources(
  { verifier, store, logger }: VerifyDueSourcesDeps,
  nowMs: number,
  stop: AbortSignal,
): Promise<number> {
  const remembered = verifier.rememberingFetch(stop);
  const fetchFile: FetchAdsTxt = async (host, path) => {
    const fetched = await remembered(host, path);
    // What was broken off says nothing of the source.
    stop.throwIfAborted();
    return fetched;
  };
  let looked = 0;
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
        looked += 1;
      } catch (err) {
        if (stop.aborted) return;
        // The others are not to wait for it; it is due again in the next run.
        logger.warn({ err, publisher: id }, 'a source could not be verified');
      }
    });
    if (documents.length < PAGE) break;
  }
  return looked;
}
