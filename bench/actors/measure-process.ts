import { jobOf, sendToParent } from '../processes/child.ts';
import { measureAsks, measureMessageRate } from './message-rate.ts';
import { type ProviderPair, withProviderPair } from './provider-pair.ts';
import { measureStream } from './stream-floor.ts';
import { measureSyncs } from './sync-floor.ts';

/** The job of this process: one measure, whose result is its only message. */
export type ActorJob =
  | { readonly measure: 'rate'; readonly pair: ProviderPair; readonly messages: number; readonly inFlight: number }
  | { readonly measure: 'asks'; readonly pair: ProviderPair; readonly asks: number }
  | { readonly measure: 'syncs'; readonly syncs: number }
  | {
      readonly measure: 'stream';
      readonly redisUrl: string;
      readonly messages: number;
      readonly batch: number;
      readonly inFlight: number;
    };

const job = jobOf<ActorJob>();
if (job.measure === 'rate')
  sendToParent(await withProviderPair(job.pair, (p) => measureMessageRate(p, job.messages, job.inFlight)));
else if (job.measure === 'asks')
  sendToParent(await withProviderPair(job.pair, (ports) => measureAsks(ports, job.asks)));
else if (job.measure === 'syncs') sendToParent(await measureSyncs(job.syncs));
else sendToParent(await measureStream(job.redisUrl, job.messages, job.batch, job.inFlight));
process.disconnect();
