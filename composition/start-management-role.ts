import { account } from '../actors/account/account.ts';
import { CurrentRates } from '../edge/currency/current-rates.ts';
import { readRenderStatuses } from '../edge/impressions/billed-impressions.ts';
import type { ViewabilityIngest } from '../edge/viewability/viewability-ingest.ts';
import { DEFAULT_CONNECTION_LIMITS } from '../gateways/http/connection-limits.ts';
import { LiveFigures } from '../gateways/live/live-figures.ts';
import { LogLevelReader } from '../gateways/log-level-data/log-level-reader.ts';
import { createAccountSandbox } from '../gateways/management/bootstrap/account-sandbox.ts';
import { createMissingSandboxes } from '../gateways/management/bootstrap/create-missing-sandboxes.ts';
import { bootstrapFirstAccount, firstAccountId } from '../gateways/management/bootstrap/first-account.ts';
import { bootstrapFirstUser } from '../gateways/management/bootstrap/first-user.ts';
import { createManagement } from '../gateways/management/management.ts';
import { initAccountLedgersFromMs } from '../gateways/management/resources/metrics/scope-ledgers.ts';
import { defaultManagementSettings } from '../gateways/management/settings.ts';
import type { AnswerObserver } from '../gateways/management/shell/observe-answers.ts';
import { registrableDomain } from '../gateways/management/shell/own-origins.ts';
import { passBarrier } from '../runtime/node/log-barrier.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { freezeWhenComplete } from '../scheduler/billing/freeze-when-complete.ts';
import { createAdvanceWatermark } from '../scheduler/watermark/advance-watermark.ts';
import { readVersion } from '../version.ts';
import { addressPolicy } from './address-policy.ts';
import { deadLettersOfLogs } from './facts/dead-letters-of-logs.ts';
import type { FactsLog } from './facts/facts-log.ts';
import { type FirstCredentials, FirstCredentialsFile } from './first-credentials.ts';
import { openPort } from './open-port.ts';
import { readBidderContext } from './read-bidder-context.ts';
import type { RoleDeps } from './role-deps.ts';
import { whileWaiting } from './wait-for.ts';

/**
 * The longest wait in ms for a month's statement in the first seconds of the next month: the books are a few seconds
 * behind the log.
 */
const WATERMARK_TIMEOUT_MS = 8_000;

export interface ManagementRole {
  /** Opens `settings.port`; resolves with the port. */
  listen(): Promise<number>;
  /** The generated keys and password that were not shown yet; null without any. */
  readonly firstCredentials: FirstCredentials | null;
  /** Goes on serving, but closes each connection with its next response. */
  drain(): void;
  close(): Promise<void>;
}

interface ManagementRoleDeps extends RoleDeps {
  readonly views: Pick<ViewabilityIngest, 'take'>;
  readonly answered: AnswerObserver;
  readonly factsLog: FactsLog | null;
}

/**
 * Starts the management role ({base_url}), which serves `settings.port` once `listen` is called. An empty store gets
 * the first account and the first user; each account gets a sandbox with synthetic demand.
 */
export async function startManagementRole(deps: ManagementRoleDeps): Promise<ManagementRole> {
  const { settings, secretKey, providers, node, store, ingest, verifier, views, answered, factsLog, logger } = deps;
  const { messenger, replica } = node;
  const { rates } = providers;
  const random = systemRandom;
  const clock = systemClock;
  const { log, leases } = providers.log;
  const billing = {
    ...{ store, messenger, clock },
    completeBooks: createAdvanceWatermark({
      ...{ messenger, clock },
      passBarrier: (signal) => passBarrier({ log, leases, clock, signal }),
    }),
  };
  const bidderContext = await readBidderContext(settings);
  const management = createManagement({
    messenger,
    store,
    rates,
    log: { embedded: settings.redisUrl === null, healthy: () => providers.log.healthy() },
    replica,
    currencyRates: new CurrentRates(replica, clock, settings.currencyRatesMaxAgeMs),
    live: new LiveFigures(providers.counters, systemClock),
    accountLedgersFromMs: await initAccountLedgersFromMs(store, systemClock.now()),
    creatives: ingest,
    creativeFiles: providers.creatives,
    verifier,
    views,
    logLevelData: providers.logLevelData && new LogLevelReader(providers.logLevelData),
    deadLetters: deadLettersOfLogs(node.deadLetters, factsLog),
    renderings: readRenderStatuses({ log, clock, renderWindowMs: settings.renderWindowMs }),
    freezeStatement: (source, month) => freezeWhenComplete(billing, source, month, WATERMARK_TIMEOUT_MS),
    secretKey,
    previousSecretKeys: settings.previousSecretKeys,
    settings: {
      ...defaultManagementSettings,
      given: settings.given,
      region: settings.region,
      version: await readVersion(),
      publicBaseUrl: settings.publicBaseUrl,
      publicEdgeUrl: settings.publicEdgeUrl,
      regionUrls: settings.regionUrls,
      publicCreativesUrl: settings.publicCreativesUrl,
      allowedOrigins: settings.corsOrigins,
      ownDomain: settings.ownDomain === null ? null : registrableDomain(settings.ownDomain),
      trustProxyHops: settings.trustProxyHops,
      connections: { ...DEFAULT_CONNECTION_LIMITS, maxPerAddress: settings.maxSocketsPerAddress },
      sessionLifetimeDays: settings.sessionLifetimeDays,
      anonymousRequestsPerMinute: settings.anonymousRequestsPerMinute,
      dashboard: settings.dashboard,
      accessLog: settings.accessLog,
      ...addressPolicy(settings),
      ...(bidderContext && { bidderContext }),
      httpsCreativesOnly: settings.httpsCreativesOnly,
      exchangeDomain: settings.exchangeDomain,
      live: {
        maxSockets: settings.maxMetricsSockets,
        maxSocketsPerCredential: settings.maxMetricsSocketsPerCredential,
      },
      sellers: {
        contactEmail: settings.sellersContactEmail,
        contactAddress: settings.sellersContactAddress,
        identifiers: settings.sellersIdentifiers,
      },
    },
    answered,
    logger,
    random,
    clock,
  });
  const file = new FirstCredentialsFile(settings.dataDir);
  await whileWaiting('a process with the role actors', logger, async () => {
    await bootstrapFirstAccount({
      ...{ messenger, store, random, clock },
      liveKey: settings.bootstrapApiKey,
      sandboxKey: settings.bootstrapSandboxApiKey,
      storeKey: async (environment, key) => {
        const name = `${environment}_key` as const;
        return (await file.keep({ [name]: key }))[name]!;
      },
    });
    const password = { made: null as string | null };
    const madeUser = await bootstrapFirstUser({
      ...{ messenger, store, random, logger },
      email: settings.adminEmail,
      password: settings.adminPassword,
      storePassword: async (user) => {
        const kept = (await file.keep(user)).password!;
        if (kept === user.password) password.made = kept;
        return kept;
      },
    });
    // When another process made the user first, that process's password is the valid one.
    if (password.made !== null && madeUser === null) await file.drop('email', 'password');
    const [first] = await store.load([{ kind: account.kind, id: firstAccountId }]);
    if (first) await createAccountSandbox({ messenger, store, logger }, firstAccountId);
  });
  const firstCredentials = await file.unseen();
  const stopping = new AbortController();
  const others = createMissingSandboxes({ messenger, store, logger }, stopping.signal).catch((err) =>
    logger.warn({ err }, 'sandboxes of accounts could not be checked; the next start checks them'),
  );
  const close = async () => {
    stopping.abort();
    await management.close();
    await others;
  };
  const listen = () => openPort('PORT', settings.port, () => management.listen(settings.port));
  return { listen, firstCredentials, drain: () => management.drain(), close };
}
