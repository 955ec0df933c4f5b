import type { Registry } from 'prom-client';
import { LOG_MEMORY_MS, readRenderStatuses } from '../edge/impressions/billed-impressions.ts';
import { readRegions } from '../edge/regions/read-regions.ts';
import { COLLECT_AFTER_MS, collectFiles } from '../gateways/creatives/collect-files.ts';
import { refreshAllDue } from '../gateways/creatives/refresh/refresh-all-due.ts';
import { startScanner } from '../gateways/creatives/scan/start-scanner.ts';
import { RatesKeeper } from '../gateways/currency/rates-keeper.ts';
import { deleteOldDays } from '../gateways/log-level-data/delete-old-days.ts';
import { LogLevelMetrics } from '../gateways/log-level-data/log-level-metrics.ts';
import { createWriteDueHours } from '../gateways/log-level-data/write-due-hours.ts';
import { resealSecretsOf } from '../gateways/management/secrets/reseal-secrets.ts';
import { verifyDueSources } from '../gateways/verification/verify-due-sources.ts';
import { DeliveryMetrics } from '../gateways/webhooks/delivery-metrics.ts';
import { DEFAULT_DELIVERY_SETTINGS } from '../gateways/webhooks/settings.ts';
import { WebhookDispatcher } from '../gateways/webhooks/webhook-dispatcher.ts';
import { passBarrier } from '../runtime/node/log-barrier.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { AGED_KINDS } from '../scheduler/aged-kinds.ts';
import type { BackgroundWorker } from '../scheduler/background-worker.ts';
import type { Job } from '../scheduler/job.ts';
import { JobFigures } from '../scheduler/job-figures.ts';
import { archiveLedgers } from '../scheduler/jobs/archive-ledgers.ts';
import { auditJob } from '../scheduler/jobs/audit.ts';
import { boundAuctionRecords } from '../scheduler/jobs/bound-auction-records.ts';
import { collectCreatives } from '../scheduler/jobs/collect-creatives.ts';
import { deleteLogLevelData } from '../scheduler/jobs/delete-log-level-data.ts';
import { fileFactHours, fileLedgerHours } from '../scheduler/jobs/file-ledger-hours.ts';
import { finaliseBilling } from '../scheduler/jobs/finalise-billing.ts';
import { forgetCreatives } from '../scheduler/jobs/forget-creatives.ts';
import { purgeAged } from '../scheduler/jobs/purge-aged.ts';
import { refreshCreatives } from '../scheduler/jobs/refresh-creatives.ts';
import { reportDeadLetters } from '../scheduler/jobs/report-dead-letters.ts';
import { resealSecrets } from '../scheduler/jobs/reseal-secrets.ts';
import { resetBudgets } from '../scheduler/jobs/reset-budgets.ts';
import { settleAuctionRecords } from '../scheduler/jobs/settle-auction-records.ts';
import { sweepSandbox } from '../scheduler/jobs/sweep-sandbox.ts';
import { verifySources } from '../scheduler/jobs/verify-sources.ts';
import { watchFillRates } from '../scheduler/jobs/watch-fill-rates.ts';
import { WRITE_LOG_LEVEL_DATA, writeLogLevelData } from '../scheduler/jobs/write-log-level-data.ts';
import { type Scheduler, startScheduler } from '../scheduler/scheduler.ts';
import { readRegionsThrough } from '../scheduler/watermark/regions-through.ts';
import { WatermarkMetrics } from '../scheduler/watermark/watermark-metrics.ts';
import { deliverWebhooks } from '../scheduler/workers/deliver-webhooks.ts';
import { keepCurrencyRates } from '../scheduler/workers/keep-currency-rates.ts';
import { scanCreatives } from '../scheduler/workers/scan-creatives.ts';
import { watermarkWorker } from '../scheduler/workers/watermark.ts';
import { addressPolicy } from './address-policy.ts';
import { creativeSettings } from './create-creative-ingest.ts';
import { creativesStagingFolder } from './create-providers.ts';
import type { FactsLog } from './facts/facts-log.ts';
import type { RoleDeps } from './role-deps.ts';

/** The collaborators of jobs and background workers. */
export interface SchedulerRoleDeps extends RoleDeps {
  readonly registry: Registry;
  /** The log of counts; null where these travel in the log of all others. */
  readonly factsLog: FactsLog | null;
}

/** The jobs of the schedule, one line each. */
function scheduledJobs(deps: SchedulerRoleDeps, figures: JobFigures): readonly Job[] {
  const { settings, secretKey, providers, node, store, ingest, verifier, logger } = deps;
  const { previousSecretKeys } = settings;
  const { messenger, partitions } = node;
  const { renderWindowMs } = settings;
  const renderings = readRenderStatuses({ log: providers.log.log, clock: systemClock, renderWindowMs });
  const { archiveDir: folder, ledgerRetentionDays: keepDays } = settings;
  const { log, relayed } = providers.log;
  const home = { relayed, partitions: Array.from({ length: log.partitions }, (_, partition) => partition) };
  return [
    resetBudgets({ messenger, store }),
    refreshCreatives((nowMs, signal) => refreshAllDue({ ingest, messenger, store }, nowMs, signal)),
    collectCreatives((signal) =>
      collectFiles(
        { messenger, store, storage: providers.creatives, clock: systemClock, afterMs: COLLECT_AFTER_MS },
        signal,
      ),
    ),
    forgetCreatives({
      messenger,
      store,
      perDsp: settings.creativesPerDsp,
      keepDays: settings.creativeRetentionDays,
    }),
    reportDeadLetters({ store, logger, figures }),
    purgeAged({ store, kinds: AGED_KINDS }),
    boundAuctionRecords({ store, most: settings.auctionRecordsKept }),
    settleAuctionRecords({ store, messenger, renderings, renderWindowMs, rememberedMs: LOG_MEMORY_MS }),
    fileLedgerHours({
      store,
      messenger,
      passBarrier: (signal) => passBarrier({ ...providers.log, clock: systemClock, signal }),
      figures,
    }),
    archiveLedgers({ store, partitions, folder, keepDays }),
    sweepSandbox({ store }),
    verifySources({ verifyDue: (nowMs, stop) => verifyDueSources({ verifier, store, logger }, nowMs, stop) }),
    watchFillRates({ store, messenger }),
    finaliseBilling({ store, messenger, logger, figures }),
    auditJob({
      ...{ store, logger, figures },
      ...(settings.redisUrl !== null && { regions: () => readRegions(home) }),
    }),
    resealSecrets({
      reseal: (signal) => resealSecretsOf({ ...{ store, messenger, secretKey, logger }, previousSecretKeys }, signal),
    }),
  ];
}

/** The job of counts; none where these are in ledgers. */
function factJobs({ store, node, factsLog }: SchedulerRoleDeps, figures: JobFigures): readonly Job[] {
  if (factsLog === null) return [];
  const passBarrier = (signal: AbortSignal) => factsLog.passBarrier(signal);
  const deps = { store, messenger: node.messenger, factsMessenger: factsLog.messenger, figures };
  return [fileFactHours({ ...deps, passBarrier })];
}

/** The jobs of log-level data; none where it goes nowhere, which has no metrics. */
function logLevelJobs(
  { settings, providers, store, logger }: SchedulerRoleDeps,
  metrics: LogLevelMetrics | null,
): readonly Job[] {
  const destination = providers.logLevelData;
  if (destination === null || metrics === null) return [];
  const { logLevelDataRetentionDays: keepDays } = settings;
  return [
    writeLogLevelData(
      createWriteDueHours({ store, destination, metrics, logger, keepDays, jobName: WRITE_LOG_LEVEL_DATA }),
    ),
    deleteLogLevelData((nowMs, signal) => deleteOldDays(destination, keepDays, nowMs, signal)),
  ];
}

/** The background workers, which run in one process of the exchange, one line each. */
function backgroundWorkers(deps: SchedulerRoleDeps): readonly BackgroundWorker[] {
  const { settings, secretKey, providers, node, store, registry, logger } = deps;
  const { messenger } = node;
  const clock = systemClock;
  const { log, leases, relayed } = providers.log;
  const { renderWindowMs } = settings;
  const deliveryMetrics = new DeliveryMetrics(registry);
  const delivery = { ...DEFAULT_DELIVERY_SETTINGS, ...addressPolicy(settings) };
  const metrics = new WatermarkMetrics(registry);
  return [
    watermarkWorker({
      messenger,
      store,
      clock,
      logger,
      metrics,
      renderWindowMs,
      ...(settings.redisUrl !== null && { regionsThrough: () => readRegionsThrough(relayed, log.partitions) }),
      passBarrier: (signal, onWaiting) => passBarrier({ log, leases, clock, signal, onWaiting }),
    }),
    deliverWebhooks({
      dispatch: () =>
        new WebhookDispatcher({
          messenger,
          store,
          secretKey,
          previousSecretKeys: settings.previousSecretKeys,
          settings: delivery,
          clock,
          logger,
          metrics: deliveryMetrics,
        }).start(),
    }),
    keepCurrencyRates({
      keep: () =>
        new RatesKeeper({
          ...{ messenger, clock, logger },
          url: settings.currencyRatesUrl,
          refreshMs: settings.currencyRatesRefreshMs,
        }).start(),
    }),
    scanCreatives({
      scan: () =>
        startScanner({
          messenger,
          store,
          storage: providers.creatives,
          settings: creativeSettings(settings),
          stagingFolder: creativesStagingFolder(settings),
          ownUrls: [settings.publicEdgeUrl, settings.publicCreativesUrl, ...settings.regionUrls.map(({ url }) => url)],
          rescanMs: settings.creativeRescanMs,
          chromium: settings.creativeRenderer,
          clock,
          random: systemRandom,
          logger,
        }),
    }),
  ];
}

/** Starts the scheduler role of this process. */
export function startSchedulerRole(deps: SchedulerRoleDeps): Promise<Scheduler> {
  const { node, providers, registry, logger } = deps;
  const figures = new JobFigures(registry);
  const logLevel = providers.logLevelData === null ? null : new LogLevelMetrics(registry, systemClock);
  return startScheduler({
    messenger: node.messenger,
    clock: systemClock,
    random: systemRandom,
    logger,
    registry,
    process: node.incarnation,
    jobs: [...scheduledJobs(deps, figures), ...logLevelJobs(deps, logLevel), ...factJobs(deps, figures)],
    onDeposed: () => {
      figures.forget();
      logLevel?.forget();
    },
    workers: backgroundWorkers(deps),
  });
}
