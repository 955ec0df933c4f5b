import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { pino } from 'pino';
import { auditTrail } from '#actors/audit-entry/trail';
import { actorKinds, replicatedKinds } from '#composition/actor-kinds';
import { createProviders } from '#composition/create-providers';
import type { CreativeStorage } from '#gateways/creatives/storage/creative-storage';
import { publicResourceId } from '#gateways/management/audit-trail/public-resource-id';
import type { ManagementDeps } from '#gateways/management/deps';
import type { AnyActorDefinition } from '#runtime/actor/define-actor';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Counters } from '#runtime/ports/counters';
import type { MessageLog } from '#runtime/ports/log';
import type { RateCounters } from '#runtime/ports/rate-counters';
import type { StateStore } from '#runtime/ports/store';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { readSettings } from '#settings';
import { type ProviderPair, realProviders } from '../../support/exchange.ts';

export interface RunningActors {
  readonly node: ActorNode;
  readonly store: StateStore;
  readonly rates: RateCounters;
  readonly counters: Counters;
  readonly creatives: CreativeStorage;
  /** Of these actors alone, and removed with them. */
  readonly folder: string;
  readonly log: ManagementDeps['log'];
  readonly messages: MessageLog;
  close(): Promise<void>;
}

/**
 * All actors, on providers of their own. With `hosted` the actors are at home in another node, which knows those
 * kinds alone: as a node of an older release would.
 */
export async function startActors(
  test: Context,
  pair: ProviderPair = 'embedded',
  hosted: readonly AnyActorDefinition[] | null = null,
): Promise<RunningActors> {
  const real = pair === 'embedded' ? {} : realProviders(test);
  const folder = await mkdtemp(join(tmpdir(), 'exchange-management-'));
  const settings = readSettings({ DATA_DIR: folder, PARTITIONS: '4', ...real });
  const providers = await createProviders(settings, pino({ level: 'silent' }));
  const { log, store, rates } = providers;
  const trail = auditTrail(publicResourceId);
  const common = { provider: log, store, clock: systemClock, random: systemRandom, auditTrail: trail };
  const older =
    hosted === null
      ? null
      : createNode({ ...common, name: 'older', definitions: hosted, hostsActors: true, replicates: [] });
  await older?.start();
  const node = createNode({
    ...common,
    name: 'management test',
    definitions: actorKinds,
    hostsActors: older === null,
    // What a node of an older release never answers is awaited as in the program; all else for as long as a busy
    // machine takes.
    tuning: older === null ? { askTimeoutMs: 20_000 } : {},
    replicates: replicatedKinds,
  });
  await node.start();
  return {
    node,
    store,
    rates,
    counters: providers.counters,
    creatives: providers.creatives,
    folder,
    messages: log.log,
    log: { embedded: pair === 'embedded', healthy: () => log.healthy() },
    async close() {
      await node.stop();
      await older?.stop();
      await providers.close();
      await rm(folder, { recursive: true });
    },
  };
}
