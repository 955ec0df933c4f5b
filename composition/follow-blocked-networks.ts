import { NetworkSet, type Networks } from '../edge/addresses/network-set.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { Settings } from '../settings.ts';
import { FollowedFile } from './followed-file.ts';
import { readBlockedNetworks } from './read-blocked-networks.ts';

export interface BlockedNetworks extends Networks {
  /** The file of BLOCKED_NETWORKS_FILE; null where that is not set. */
  readonly file: FollowedFile<NetworkSet> | null;
}

/**
 * The networks of BLOCKED_NETWORKS, and those of BLOCKED_NETWORKS_FILE as it is at present.
 * @throws InvalidSettings for a file that is faulty now
 */
export async function followBlockedNetworks(
  { blockedNetworks, blockedNetworksFile: path }: Pick<Settings, 'blockedNetworks' | 'blockedNetworksFile'>,
  clock: Clock,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<BlockedNetworks> {
  if (path === null) {
    const stated = new NetworkSet(blockedNetworks);
    return { file: null, has: (address) => stated.has(address) };
  }
  const read = async () => new NetworkSet([...blockedNetworks, ...(await readBlockedNetworks(path))]);
  const file = await FollowedFile.open({ setting: 'BLOCKED_NETWORKS_FILE', path, read, clock, logger });
  return { file, has: (address) => file.value.has(address) };
}
