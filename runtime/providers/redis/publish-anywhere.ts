import type { Cluster } from 'ioredis';
import { LogUnavailable } from '../../ports/errors.ts';
import { readyFirst } from './client.ts';
import type { CommandRunner } from './command-runner.ts';

/** Publishes by any node of a cluster that takes it, for every node passes on what one was told: no shard that is away matters. */
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
