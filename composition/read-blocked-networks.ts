import { readFile } from 'node:fs/promises';
import { type Network, parseNetwork } from '../edge/addresses/network-set.ts';
import { InvalidSettings } from '../settings.ts';

/** The most invalid lines that the error names; in a file of another kind every line is invalid. */
const FAULTS_NAMED = 10;

/**
 * Reads the networks of BLOCKED_NETWORKS_FILE: one on each line; `#` begins a comment.
 * @throws InvalidSettings for a file that cannot be read, or naming the lines that are no networks
 */
export async function readBlockedNetworks(path: string): Promise<Network[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings(`BLOCKED_NETWORKS_FILE cannot be read: ${error.message}`);
  });
  const networks: Network[] = [];
  const faults: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const stated = line.replace(/#.*$/, '').trim();
    if (stated === '') continue;
    const network = parseNetwork(stated);
    if (network !== null) networks.push(network);
    else if (faults.push(stated) <= FAULTS_NAMED) {
      faults[faults.length - 1] = `BLOCKED_NETWORKS_FILE, line ${index + 1}: "${stated.slice(0, 60)}" is no network`;
    }
  }
  if (faults.length > FAULTS_NAMED) {
    faults.splice(FAULTS_NAMED, faults.length, `BLOCKED_NETWORKS_FILE: and ${faults.length - FAULTS_NAMED} more lines`);
  }
  if (faults.length > 0) throw new InvalidSettings(faults.join('\n'));
  return networks;
}
