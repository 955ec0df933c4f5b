import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account } from '../../../actors/account/account.ts';
import { apiKey } from '../../../actors/api-key/api-key.ts';
import { dsp } from '../../../actors/dsp/dsp.ts';
import { ledger } from '../../../actors/ledger/ledger.ts';
import { name } from '../../../actors/name/name.ts';
import { pool } from '../../../actors/pool/pool.ts';
import { publisher } from '../../../actors/publisher/publisher.ts';
import { type ActorNode, createNode } from '../../../runtime/node/node.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { openEmbedded } from '../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../runtime/providers/system/system-random.ts';

export interface RunningActors {
  readonly node: ActorNode;
  readonly store: StateStore;
  close(): Promise<void>;
}

/** The control actors and the ledgers on the embedded providers, in a folder of their own. */
export async function startActors(): Promise<RunningActors> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-management-'));
  const embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
  const { store } = embedded;
  const node = createNode({
    name: 'management test',
    provider: embedded.log,
    store,
    clock: systemClock,
    random: systemRandom,
    definitions: [account, apiKey, name, publisher, pool, dsp, ledger],
    hostsActors: true,
    replicates: [apiKey.kind, publisher.kind, pool.kind, dsp.kind],
  });
  await node.start();
  return {
    node,
    store,
    async close() {
      await node.stop();
      await embedded.close();
      await rm(folder, { recursive: true });
    },
  };
}
