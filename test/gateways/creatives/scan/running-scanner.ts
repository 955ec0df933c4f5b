import { join } from 'node:path';
import type { Context } from 'mocha';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { creativeId, fingerprintOf } from '#edge/creatives/creative-id';
import { startScanner } from '#gateways/creatives/scan/start-scanner';
import { DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '#test/support/eventually';
import { type RunningActors, startActors } from '../../management/running-actors.ts';

/** What an edge would tell of a creative, as far as a test is about it. */
export interface Sighting {
  readonly markup: string;
  readonly formats?: CreativeState['formats'];
  readonly sizes?: readonly string[];
  readonly advertiserDomains?: readonly string[];
  readonly declared?: CreativeState['declared'];
  readonly dspId?: string;
  readonly crid?: string;
  readonly campaignId?: string | null;
}

export interface RunningScanner extends RunningActors {
  /** Tells that the creative was sold; answers its id. */
  see(sighting: Sighting): Promise<string>;
  stateOf(id: string): Promise<CreativeState | null>;
  /** The creative once a scan of it has ended, and its hosting where it is stable. */
  scanned(id: string): Promise<CreativeState>;
  close(): Promise<void>;
}

/** All actors and the scanner, as a process with the role `scheduler` has it. */
export async function startRunningScanner(
  test: Context,
  options: {
    pollMs?: number;
    rescanMs?: number;
    allowPrivateNetworks?: boolean;
    chromium?: string | null;
    ownUrls?: string[];
  } = {},
): Promise<RunningScanner> {
  const actors = await startActors(test);
  const { node, store, creatives: storage, folder } = actors;
  const { allowPrivateNetworks = true, rescanMs = 3_600_000, chromium = null, ownUrls = [], pollMs = 20 } = options;
  const scanner = startScanner({
    ...{ messenger: node.messenger, store, storage, ownUrls, rescanMs, chromium, pollMs },
    settings: { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks },
    stagingFolder: join(folder, 'incoming'),
    clock: systemClock,
    random: systemRandom,
    logger: SILENT,
  });
  const stateOf = async (id: string) => {
    const [document] = await store.load([{ kind: creative.kind, id }]);
    return (document?.state ?? null) as CreativeState | null;
  };
  return {
    ...actors,
    stateOf,
    async see({ markup, formats = ['banner'], sizes = ['300x250'], advertiserDomains = [], ...given }) {
      const { declared = 'auto', dspId = 'dsp', crid = systemRandom.id(), campaignId = null } = given;
      const fingerprint = declared === 'dynamic' ? '' : fingerprintOf(markup);
      const id = creativeId({ dspId, crid, fingerprint });
      await node.messenger.tell(creative, id, 'seen', {
        ...{ dspId, crid, fingerprint, declared, markup, formats, campaignId },
        ...{ accountId: 'account', partnerId: null, sandbox: false },
        ...{ sizes: [...sizes], advertiserDomains: [...advertiserDomains], categories: [], categoryTaxonomy: 1 },
        ...{ attributes: [], publisherIds: ['publisher'], sightings: 1, wins: 1, refusals: 0 },
      });
      return id;
    },
    async scanned(id) {
      let state: CreativeState | null = null;
      await eventually('the creative is scanned', async () => {
        state = await stateOf(id);
        const { scan, stability, hosting } = state ?? {};
        if (scan === undefined || (scan.status === 'pending' && scan.failure === null)) return false;
        return stability !== 'stable' || hosting?.status !== 'waiting';
      });
      return state!;
    },
    async close() {
      await scanner.close();
      await actors.close();
    },
  };
}
