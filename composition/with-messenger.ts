import { pino } from 'pino';
import { auditTrail } from '../actors/audit-entry/trail.ts';
import { publicResourceId } from '../gateways/management/audit-trail/public-resource-id.ts';
import type { Messenger } from '../runtime/actor/messenger.ts';
import { createNode } from '../runtime/node/node.ts';
import { withUpgradedStates } from '../runtime/node/with-upgraded-states.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { actorKinds } from './actor-kinds.ts';
import { createProviders } from './create-providers.ts';
import { drainLog } from './drain-log.ts';

interface Reached {
  readonly messenger: Messenger;
  /** The store, with states in the form of the newest release. */
  readonly store: StateStore;
}

/**
 * Reaches the actors of an exchange from a command. On Redis and MongoDB the actors run in the processes of the
 * exchange; an embedded log or store lets in one process at a time, so the actors run in this process and the exchange
 * must be stopped meanwhile.
 * @throws DataFolderLocked while an exchange holds the data folder
 */
export async function withMessenger<T>(settings: Settings, work: (reached: Reached) => Promise<T>): Promise<T> {
  const logger = pino({ level: 'silent' });
  const isEmbedded = settings.redisUrl === null || settings.mongodbUrl === null;
  const providers = await createProviders(settings, logger);
  try {
    const node = createNode({
      auditTrail: auditTrail(publicResourceId),
      name: `command-${process.pid}`,
      provider: providers.log,
      store: providers.store,
      clock: systemClock,
      random: systemRandom,
      definitions: actorKinds,
      hostsActors: isEmbedded,
      replicates: [],
      logger,
    });
    await node.start();
    try {
      const result = await work({ messenger: node.messenger, store: withUpgradedStates(providers.store, actorKinds) });
      // The consequences of the change, its entry in the audit trail, are saved before the folder is released.
      if (isEmbedded) await drainLog(providers.log);
      return result;
    } finally {
      await node.stop();
    }
  } finally {
    await providers.close();
  }
}
