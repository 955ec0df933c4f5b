import type { Logger } from 'pino';
import { type SyntheticBidders, startSyntheticBidders } from '../gateways/bidders/synthetic/synthetic-bidders.ts';
import { bootstrapFirstAccount, type MadeKeys } from '../gateways/management/bootstrap/first-account.ts';
import { bootstrapFirstSandbox } from '../gateways/management/bootstrap/first-sandbox.ts';
import { createManagement } from '../gateways/management/management.ts';
import { defaultManagementSettings } from '../gateways/management/settings.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { readVersion, type Settings } from '../settings.ts';
import type { Providers } from './open-providers.ts';

export interface OpenedManagement {
  readonly port: number;
  /** Keys that were made at this start, to be shown once. */
  readonly madeKeys: MadeKeys;
  close(): Promise<void>;
}

/** {base_url} on `settings.port`. On an empty store the first account; with the embedded store a sandbox that fills. */
export async function openManagement(
  settings: Settings,
  providers: Providers,
  node: ActorNode,
  logger: Logger,
): Promise<OpenedManagement> {
  const { messenger, replica } = node;
  const { store } = providers;
  const random = systemRandom;
  const madeKeys = await bootstrapFirstAccount({
    messenger,
    store,
    random,
    liveKey: settings.bootstrapApiKey,
    sandboxKey: settings.bootstrapSandboxApiKey,
  });
  let synthetic: SyntheticBidders | null = null;
  if (settings.mongodbUrl === null) {
    synthetic = await startSyntheticBidders();
    await bootstrapFirstSandbox({ messenger, store, logger, endpoints: synthetic.endpoints });
  }
  const management = createManagement({
    messenger,
    store,
    replica,
    settings: { ...defaultManagementSettings, region: settings.region, version: await readVersion() },
    logger,
    random,
    clock: systemClock,
  });
  const port = await management.listen(settings.port);
  return {
    port,
    madeKeys,
    async close() {
      await management.close();
      await synthetic?.close();
    },
  };
}
