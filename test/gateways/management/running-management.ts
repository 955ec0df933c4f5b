import { randomUUID } from 'node:crypto';
import type { Context } from 'mocha';
import { account } from '../../../actors/account/account.ts';
import { apiKey } from '../../../actors/api-key/api-key.ts';
import { apiKeyId } from '../../../gateways/management/identity/api-keys.ts';
import { createManagement, type Management } from '../../../gateways/management/management.ts';
import type { ManagementParts } from '../../../gateways/management/parts.ts';
import { defaultManagementSettings } from '../../../gateways/management/settings.ts';
import { SILENT } from '../../../runtime/node/logger.ts';
import { systemClock } from '../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../runtime/providers/system/system-random.ts';
import type { ProviderPair } from '../../support/exchange.ts';
import { type ManagementClient, managementClient } from './management-client.ts';
import { type RunningActors, startActors } from './running-actors.ts';

export interface AccountClients {
  readonly accountId: string;
  readonly liveKey: string;
  /** With a live key. */
  readonly api: ManagementClient;
  /** With a sandbox key. */
  readonly sandboxApi: ManagementClient;
}

export interface RunningManagement extends AccountClients, RunningActors {
  readonly parts: ManagementParts;
  readonly management: Management;
  readonly baseUrl: string;
  /** Without a key. */
  readonly anonymous: ManagementClient;
  /** An account of its own, with keys. */
  newAccount(): Promise<AccountClients>;
}

/** The control actors and the management API, all real, on a free port. */
export async function startManagement(test: Context, pair?: ProviderPair): Promise<RunningManagement> {
  const actors = await startActors(test, pair);
  const { node, store, rates } = actors;
  const parts: ManagementParts = {
    messenger: node.messenger,
    store,
    rates,
    replica: node.replica,
    secretKey: 'a master secret that only tests know',
    settings: { ...defaultManagementSettings, checkAnswers: true, version: '1.2.3' },
    logger: SILENT,
    random: systemRandom,
    clock: systemClock,
  };
  const management = createManagement(parts);
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
    parts,
    management,
    baseUrl,
    anonymous,
    node,
    store,
    rates,
    newAccount,
    async close() {
      await management.close();
      await actors.close();
    },
  };
}
