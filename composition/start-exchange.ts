import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { auditTrail } from '../actors/audit-entry/trail.ts';
import { ledger } from '../actors/ledger/ledger.ts';
import { pause, systemTimer } from '../async/pause.ts';
import { publicResourceId } from '../gateways/management/audit-trail/public-resource-id.ts';
import { startOperations } from '../gateways/operations.ts';
import { type ActorNode, createNode } from '../runtime/node/node.ts';
import { withUpgradedStates } from '../runtime/node/with-upgraded-states.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { LogProvider } from '../runtime/ports/log-provider.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import type { Settings } from '../settings.ts';
import { readVersion } from '../version.ts';
import { actorKinds, replicatedKinds } from './actor-kinds.ts';
import { assertWritable } from './assert-writable.ts';
import { createCreativeIngest } from './create-creative-ingest.ts';
import { createProviders, type Providers } from './create-providers.ts';
import { createTracer } from './create-tracer.ts';
import { createVerifier } from './create-verifier.ts';
import { drainLog } from './drain-log.ts';
import { FactsLog } from './facts/facts-log.ts';
import { openRegionCounts } from './facts/region-counts.ts';
import { firstAdCanBeSold } from './first-ad.ts';
import { assertSecretKey, masterSecret } from './master-secret.ts';
import { factsLogMetrics } from './metrics/facts-log-metrics.ts';
import { managementMetrics } from './metrics/management-metrics.ts';
import { measuredStore } from './metrics/measured-store.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import { observeProviders, providerMetrics } from './metrics/provider-metrics.ts';
import { assertFreePorts, openPort } from './open-port.ts';
import { Readiness } from './readiness.ts';
import type { Announced } from './served.ts';
import { edgeCatalogue, startEdgeRole } from './start-edge-role.ts';
import { startManagementRole } from './start-management-role.ts';
import { startRegionRelay } from './start-region-relay.ts';
import { startSchedulerRole } from './start-scheduler-role.ts';
import { startViewabilityIngest } from './start-viewability-ingest.ts';
import type { Supervised } from './supervisor/supervised.ts';

/** The roles of one process, at work. */
export interface Exchange extends Announced {
  readonly node: ActorNode;
  /** Requests of all kinds that this process's edge has had so far; 0 without that role. */
  requests(): number;
  /**
   * Stops the process: it is not ready from this moment on, and goes on serving for `drainMs`, those of the
   * settings by default, so that load balancers notice. Then it answers what is under way, hands over what it owns, and
   * leaves nothing half done.
   */
  stop(drainMs?: number): Promise<void>;
}

/** The log without which a process cannot serve: edges of a region with a log of its own go on without home. */
function logToServe({ roles }: Settings, { log, regionLog }: Pick<Providers, 'log' | 'regionLog'>): LogProvider {
  return regionLog !== null && roles.size === 1 ? regionLog : log;
}

/**
 * Wires the roles of this process; resolves when all of them serve. When one fails, everything that was opened is
 * closed. `supervised`: the process is one of several of a supervisor, which has the operations port and shares that of
 * edges. `edgeClock`: what the edge measures time by.
 */
export async function startExchange(
  settings: Settings,
  logger: Logger,
  supervised: Supervised | null = null,
  edgeClock: Clock = systemClock,
): Promise<Exchange> {
  assertSecretKey(settings);
  const closing: (() => Promise<unknown>)[] = [];
  /** Closes the newest part first. A part that cannot be closed does not keep the others open. */
  const closeAll = async () => {
    const failures: unknown[] = [];
    for (const close of closing.splice(0).reverse()) await close().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const registry = new Registry();
    processMetrics(registry, { version: await readVersion(), revision: settings.revision });
    // A process that cannot serve should make nothing and wait for nothing, so the ports are checked first.
    if (supervised?.worker == null) await assertFreePorts(settings);
    const readiness = new Readiness();
    const operations = supervised
      ? null
      : await openPort('OPS_PORT', settings.opsPort, () =>
          startOperations(settings.opsPort, {
            registry,
            unready: (leftOut) => readiness.missing(leftOut),
            underWay: () => readiness.underWay,
            host: settings.opsHost,
          }),
        );
    supervised?.observe({ registry, readiness });
    if (operations) closing.push(() => operations.close());
    await assertWritable(settings);
    const opened = await createProviders(settings, logger, settings.startWaitMs, observeProviders(registry));
    closing.push(() => opened.close());
    const providers = { ...opened, store: measuredStore(registry, opened.store) };
    readiness.opened({ ...providers, log: logToServe(settings, providers) });
    providerMetrics(registry, providers);

    const tracer = await createTracer(settings);
    if (tracer !== null) closing.push(() => tracer.close());
    const node = createNode({
      tracer,
      auditTrail: auditTrail(publicResourceId),
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
    readiness.opened({ replica: node.replica });
    // The catalogue is followed from the node's first snapshot on.
    const catalogue = settings.roles.has('edge') ? edgeCatalogue(node.replica) : null;
    await node.start();
    closing.push(() => node.stop());
    const factsLog =
      settings.factsRedisUrl === null
        ? null
        : new FactsLog({ settings, store: providers.store, logger, registry, messenger: node.messenger });
    factsLogMetrics(registry, factsLog);
    if (factsLog) {
      closing.push(() => factsLog.close());
      await factsLog.start();
    }
    const regionCounts = catalogue ? await openRegionCounts({ settings, providers, factsLog, logger, registry }) : null;
    if (regionCounts) closing.push(() => regionCounts.close());
    const factsRoute = regionCounts ?? factsLog ?? { kind: ledger, messenger: node.messenger };
    // The log is drained once nothing comes in any more. On Redis the remaining processes read on.
    if (settings.redisUrl === null && settings.roles.has('actors')) closing.push(() => drainLog(providers.log));

    const secretKey = await masterSecret(settings, providers.store, logger);
    const managed = settings.roles.has('management');
    const store = withUpgradedStates(providers.store, actorKinds);
    const scheduled = settings.roles.has('scheduler');
    const creatives = managed || scheduled ? await createCreativeIngest(settings, providers, node, store) : null;
    if (creatives) closing.push(() => creatives.close());
    const verifier = createVerifier(settings, node);
    closing.push(() => verifier.close());

    // The relay ends after the gateways, whose last impressions it brings home.
    const relay = catalogue ? await startRegionRelay({ settings, providers, registry, logger }) : null;
    const regionSource = relay?.known ?? null;
    if (relay) closing.push(() => relay.close());
    readiness.sellsInto(() => regionSource?.writtenOff ?? null);
    const gateways: { drain(): void; close(): Promise<void> }[] = [];
    closing.push(() => Promise.all(gateways.map((gateway) => gateway.close())));
    const edge = catalogue
      ? await startEdgeRole(settings, {
          ...{ secretKey, node, catalogue, factsRoute, regionSource, registry, logger, tracer },
          providers: { ...providers, store },
          clock: edgeClock,
          worker: supervised?.worker ?? 1,
        })
      : null;
    if (edge) gateways.push(edge);
    const viewsWithoutEdge = () => {
      const opened = startViewabilityIngest(settings, secretKey, providers.log.log, node, factsRoute);
      closing.push(() => opened.close());
      return opened.views;
    };
    const shared = creatives && {
      ...{ settings, secretKey, providers, node, store, verifier, logger },
      ingest: creatives.ingest,
    };
    const management =
      managed && shared
        ? await startManagementRole({
            ...shared,
            factsLog,
            views: edge?.views ?? viewsWithoutEdge(),
            answered: managementMetrics(registry),
          })
        : null;
    if (management) gateways.push(management);
    if (scheduled && shared) {
      const scheduler = await startSchedulerRole({ ...shared, registry, factsLog });
      closing.push(() => scheduler.close());
    }
    if (edge && management) await firstAdCanBeSold(node.replica, store);
    // The ports open last: each caller finds everything behind them ready, the first keys included.
    if (edge) supervised?.balances(edge);
    const edgePort = edge ? await edge.listen() : null;
    const port = management ? await management.listen() : null;
    readiness.phase = 'serving';
    return {
      ...{ port, edgePort, opsPort: operations?.port ?? null, node },
      firstCredentials: management?.firstCredentials ?? null,
      requests: edge?.requests ?? (() => 0),
      async stop(drainMs = settings.drainMs) {
        readiness.phase = 'stop';
        for (const gateway of gateways) gateway.drain();
        if (drainMs > 0) await pause(systemTimer, drainMs);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch((err) => logger.error({ err }, 'what was opened could not be closed'));
    throw error;
  }
}
