import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { MadeKeys } from '../gateways/management/bootstrap/first-account.ts';
import { openOperations } from '../gateways/operations/operations.ts';
import { type ActorNode, createNode } from '../runtime/node/node.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { actorKinds, replicatedKinds } from './actor-kinds.ts';
import { openEdge } from './open-edge.ts';
import { openManagement } from './open-management.ts';
import { openProviders } from './open-providers.ts';

/** The roles of one process, at work. */
export interface Exchange {
  /** Null for roles that this process has not. */
  readonly port: number | null;
  readonly edgePort: number | null;
  readonly opsPort: number;
  readonly madeKeys: MadeKeys;
  readonly node: ActorNode;
  /** Answers what is under way, hands over what is owned, leaves nothing half done. */
  stop(): Promise<void>;
}

/** Wires the roles of this process and resolves when all of them serve. What was opened is closed when one fails. */
export async function startExchange(settings: Settings, logger: Logger): Promise<Exchange> {
  const closing: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const providers = await openProviders(settings, logger);
    closing.push(() => providers.close());

    const node = createNode({
      name: `${settings.region}-${process.pid}`,
      provider: providers.log,
      store: providers.store,
      clock: systemClock,
      random: systemRandom,
      definitions: actorKinds,
      hostsActors: settings.roles.has('actors'),
      replicates: settings.roles.has('edge') || settings.roles.has('management') ? replicatedKinds : [],
      logger,
      registry,
    });
    let serving = false;
    const operations = await openOperations(settings.opsPort, {
      registry,
      deadLetters: node.deadLetters,
      unready: async () => [
        ...(serving ? [] : ['start']),
        ...((await providers.log.healthy()) ? [] : ['log']),
        ...((await providers.store.healthy()) ? [] : ['store']),
        ...(node.replica.ready ? [] : ['catalogue']),
      ],
    });
    closing.push(() => operations.close());
    await node.start();
    closing.push(() => node.stop());

    const made = randomBytes(32).toString('base64url');
    const secretKey = settings.secretKey ?? (await providers.store.settle('secret-key', made));
    const edge = settings.roles.has('edge') ? await openEdge(settings, secretKey, providers, node, logger) : null;
    if (edge) closing.push(() => edge.close());
    const management = settings.roles.has('management')
      ? await openManagement(settings, providers, node, logger)
      : null;
    if (management) closing.push(() => management.close());
    serving = true;
    return {
      port: management?.port ?? null,
      edgePort: edge?.port ?? null,
      opsPort: operations.port,
      madeKeys: management?.madeKeys ?? { live: null, sandbox: null },
      node,
      async stop() {
        serving = false;
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
