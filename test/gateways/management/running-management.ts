import { randomUUID } from 'node:crypto';
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
import { apiKeyId } from '../../../gateways/management/identity/caller.ts';
import { createManagement } from '../../../gateways/management/management.ts';
import { defaultManagementSettings } from '../../../gateways/management/settings.ts';
import { SILENT } from '../../../runtime/node/logger.ts';
import { type ActorNode, createNode } from '../../../runtime/node/node.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { openEmbedded } from '../../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../runtime/providers/system/system-random.ts';
import { type ManagementClient, managementClient } from './management-client.ts';

export interface AccountClients {
  readonly accountId: string;
  readonly liveKey: string;
  /** With a live key. */
  readonly api: ManagementClient;
  /** With a sandbox key. */
  readonly sandboxApi: ManagementClient;
}

export interface RunningManagement extends AccountClients {
  readonly baseUrl: string;
  /** Without a key. */
  readonly anonymous: ManagementClient;
  readonly node: ActorNode;
  readonly store: StateStore;
  /** An account of its own, with keys. */
  newAccount(): Promise<AccountClients>;
  close(): Promise<void>;
}

/** The control actors and the management API, all real, on the embedded providers and a free port. */
export async function startManagement(): Promise<RunningManagement> {
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
    replicates: [apiKey.kind, publisher.kind],
  });
  await node.start();
  const management = createManagement({
    messenger: node.messenger,
    store,
    replica: node.replica,
    settings: { ...defaultManagementSettings, version: '1.2.3' },
    logger: SILENT,
    random: systemRandom,
    clock: systemClock,
  });
  const baseUrl = `http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`;
  const anonymous = managementClient(baseUrl);

  const newAccount = async (): Promise<AccountClients> => {
    const accountId = randomUUID();
    await node.messenger.ask(account, accountId, 'open', { name: accountId, tier: 'standard' });
    const keyOf = async (environment: 'live' | 'sandbox'): Promise<string> => {
      const key = `pk_${environment}_${systemRandom.id()}`;
      const body = { accountId, environment, name: 'test', hint: key.slice(0, 12) };
      await node.messenger.ask(apiKey, apiKeyId(key), 'create', body);
      return key;
    };
    const [liveKey, sandboxKey] = [await keyOf('live'), await keyOf('sandbox')];
    return {
      accountId,
      liveKey,
      api: anonymous.as({ 'X-API-Key': liveKey }),
      sandboxApi: anonymous.as({ 'X-API-Key': sandboxKey }),
    };
  };

  return {
    ...(await newAccount()),
    baseUrl,
    anonymous,
    node,
    store,
    newAccount,
    async close() {
      await management.close();
      await node.stop();
      await embedded.close();
      await rm(folder, { recursive: true });
    },
  };
}
