import { dsp } from '../actors/dsp/dsp.ts';
import { publisher } from '../actors/publisher/publisher.ts';
import { syntheticBidders } from '../gateways/bidders/synthetic/synthetic-bidders.ts';
import { firstSandbox, syntheticDspId } from '../gateways/management/bootstrap/account-sandbox.ts';
import type { Replica } from '../runtime/actor/replica.ts';
import type { StateStore } from '../runtime/ports/store.ts';

/**
 * The longest wait, ms. The catalogue brings a change within milliseconds; a process that has not seen it by then
 * serves without it.
 */
const WITHIN_MS = 5_000;

/** Waits until an edge of this process knows the first account's sandbox, so that the first ad request is sold. */
export async function firstAdCanBeSold(replica: Replica, store: Pick<StateStore, 'load'>): Promise<void> {
  const keys = [
    { kind: publisher.kind, id: firstSandbox.publisherId },
    ...syntheticBidders.map((_, index) => ({ kind: dsp.kind, id: syntheticDspId(index) })),
  ];
  const made = (await store.load(keys)).filter((document) => document !== null && !document.deleted);
  const signal = AbortSignal.timeout(WITHIN_MS);
  await Promise.all(made.map((document) => known(replica, document!.kind, document!.id, signal)));
}

function known(replica: Replica, kind: string, id: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      // The callback runs during the subscription, before `end` can be called.
      queueMicrotask(() => end());
      resolve();
    };
    signal.addEventListener('abort', done, { once: true });
    const end = replica.subscribe(kind, (change) => {
      if (change.id === id) done();
    });
  });
}
