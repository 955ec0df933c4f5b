import type { Cluster } from 'ioredis';
import { LogUnavailable } from '../../ports/errors.ts';
import { readyFirst } from './client.ts';
import type { CommandRunner } from './command-runner.ts';

/**
 * Publishes through any node of the cluster that accepts the message, because each node passes it on to all others: an
 * unavailable shard does not matter.
 */
export async function publishAnywhere(
  cluster: Cluster,
  requests: CommandRunner,
  channel: string,
  message: string,
): Promise<void> {
  let failure: unknown = new LogUnavailable('no node of the cluster is known');
  for (const node of readyFirst(cluster)) {
    try {
      await requests.run(() => node.publish(channel, message));
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
