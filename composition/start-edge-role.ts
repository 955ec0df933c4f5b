import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { dsp } from '../actors/dsp/dsp.ts';
import type { DspProjection } from '../actors/dsp/fields.ts';
import type { ViewedImpression } from '../actors/feed-page/view-row.ts';
import type { PublisherProjection } from '../actors/publisher/fields.ts';
import { publisher } from '../actors/publisher/publisher.ts';
import { PublisherShares } from '../edge/budgets/shares/publisher-shares.ts';
import { DelegateCatalogue } from '../edge/catalogue/delegate-catalogue.ts';
import { AuctionCreatives } from '../edge/creatives/auction-creatives.ts';
import { CreativeCatalogue } from '../edge/creatives/creative-catalogue.ts';
import { CurrentRates } from '../edge/currency/current-rates.ts';
import { countCampaignImpression } from '../edge/delegates/count-viewing.ts';
import { SharedFrequencyCaps } from '../edge/delegates/shared-frequency-caps.ts';
import type { FactObserver } from '../edge/facts/fact-counters.ts';
import { Facts } from '../edge/facts/facts.ts';
import { ImpressionIngest } from '../edge/impressions/impression-ingest.ts';
import { WinNotifier } from '../edge/impressions/told-wins.ts';
import { InvalidTrafficDetector } from '../edge/invalid-traffic/impression-judge.ts';
import { SharedCampaignPace } from '../edge/pace/shared-campaign-pace.ts';
import { AuctionRecorder } from '../edge/recording/auction-recorder.ts';
import { RegionalImpressions } from '../edge/regions/regional-impressions.ts';
import { RequestScreening } from '../edge/screening/screen-request.ts';
import { TrackingVerifier } from '../edge/tracking/verify.ts';
import { ViewabilityIngest } from '../edge/viewability/viewability-ingest.ts';
import { Viewers } from '../edge/viewer/viewers.ts';
import { WinFeed } from '../edge/win-feed.ts';
import { Bidders } from '../gateways/bidders/bidders.ts';
import { HealthReports } from '../gateways/bidders/health/health-reports.ts';
import { MarkupFetcher } from '../gateways/bidders/markup-fetcher.ts';
import { Notices } from '../gateways/bidders/notices/notices.ts';
import { DEFAULT_NOTICE_SETTINGS } from '../gateways/bidders/notices/settings.ts';
import { SharedCallRates } from '../gateways/bidders/shared-call-rates.ts';
import { createEdge } from '../gateways/edge/edge.ts';
import { DEFAULT_EDGE_SETTINGS } from '../gateways/edge/settings.ts';
import { impressionHandler, servePixelOutsideKoa } from '../gateways/edge/tracking/impression-handler.ts';
import { viewabilityHandler } from '../gateways/edge/tracking/view-handler.ts';
import { winHandler } from '../gateways/edge/tracking/win-handler.ts';
import { LiveRecorder } from '../gateways/live/live-recorder.ts';
import type { Replica } from '../runtime/actor/replica.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { KnownSource } from '../runtime/ports/relayed.ts';
import type { Tracer } from '../runtime/ports/tracer.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { readRegionsAt } from '../scheduler/watermark/regions-through.ts';
import type { Settings } from '../settings.ts';
import { addressPolicy } from './address-policy.ts';
import { createBudgets, MAX_SPOOL_DELAY_MS } from './create-budgets.ts';
import type { Providers } from './create-providers.ts';
import { createSpool } from './create-spool.ts';
import { environmentScopes } from './environment-scopes.ts';
import type { FactsRoute } from './facts/facts-log.ts';
import { followBlockedNetworks } from './follow-blocked-networks.ts';
import { loadCountries } from './load-countries.ts';
import { adRequestMetrics, auctionMetrics } from './metrics/ad-request-metrics.ts';
import { bidderCallMetrics, bidderMetrics } from './metrics/bidder-metrics.ts';
import { dspLabels } from './metrics/bounded-names.ts';
import { edgeMetrics } from './metrics/edge-metrics.ts';
import { factMetrics } from './metrics/fact-metrics.ts';
import { earningsMetrics, impressionMetrics, spoolMetrics } from './metrics/impression-metrics.ts';
import { regionLenderMetrics } from './metrics/region-lender-metrics.ts';
import { openPort } from './open-port.ts';
import { readBidderContext } from './read-bidder-context.ts';
import { invalidTrafficSettings, screeningSettings } from './screening-settings.ts';

const NOTICES_GRACE_MS = 2_000;

export interface EdgeRole {
  /** Opens `settings.edgePort`; resolves with the port. */
  listen(): Promise<number>;
  /** The ingest of viewability for this edge's impressions; the edge's facts include its counts. */
  readonly views: ViewabilityIngest;
  /** Requests of all kinds that have come so far. */
  requests(): number;
  /** Resolves with the number of connections that are open. */
  connections(): Promise<number>;
  /** Has other edges that share the port take over all connections but about `kept`. */
  keepConnections(kept: number): Promise<void>;
  /** Goes on serving, but closes each connection with its next response. */
  drain(): void;
  /** Takes no more requests, answers those under way, and sends all counts and notices. */
  close(): Promise<void>;
}

/** What an edge follows of the catalogue by itself. */
export interface EdgeCatalogue {
  readonly delegates: DelegateCatalogue;
  readonly creatives: CreativeCatalogue;
}

/** Must be called before the replica starts. */
export function edgeCatalogue(replica: Replica): EdgeCatalogue {
  return {
    delegates: new DelegateCatalogue(replica, systemClock),
    creatives: new CreativeCatalogue(replica, systemClock),
  };
}

interface EdgeRoleDeps {
  readonly secretKey: string;
  readonly providers: Providers;
  readonly node: ActorNode;
  readonly catalogue: EdgeCatalogue;
  /** What home knows of the log of this edge's region; null where the region has none. */
  readonly regionSource: KnownSource | null;
  /** The way of counts to their documents. */
  readonly factsRoute: FactsRoute;
  /** What the edge's deadlines and intervals are measured by. */
  readonly clock: Clock;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly tracer: Tracer | null;
  /** The number of this edge among those that share its port, from 1 on. */
  readonly worker: number;
}

/** Starts the edge role ({rtb_url}), which serves `settings.edgePort` once `listen` is called. */
export async function startEdgeRole(settings: Settings, deps: EdgeRoleDeps): Promise<EdgeRole> {
  const { secretKey, providers, node, regionSource, clock, registry, logger, tracer, worker } = deps;
  const { delegates: catalogue, creatives } = deps.catalogue;
  const { renderWindowMs } = settings;
  const impressionLog =
    providers.regionLog === null || regionSource === null
      ? providers.log.log
      : new RegionalImpressions(providers.regionLog.log, providers.log.log, regionSource);
  const policy = addressPolicy(settings);
  const blockedNetworks = await followBlockedNetworks(settings, systemClock, logger);
  const screeningPolicy = screeningSettings(settings, blockedNetworks);
  const screening = new RequestScreening(screeningPolicy, clock);
  const scopeOf = environmentScopes(node.replica);
  const pace = new SharedCampaignPace({ counters: providers.counters, clock, edge: node.incarnation, scopeOf });
  const caps = new SharedFrequencyCaps({
    marks: providers.edgeCounters.marks,
    clock,
    scope: (campaignId) => scopeOf(catalogue.dspOf(campaignId) ?? ''),
  });
  const secureContext = await readBidderContext(settings);
  const tls = secureContext && { secureContext };
  const notices = new Notices({ ...DEFAULT_NOTICE_SETTINGS, ...policy, ...tls }, clock);
  const live = new LiveRecorder({
    sums: providers.counters.sums,
    clock,
    region: settings.region,
    ownerOf: (id) => node.replica.get<PublisherProjection>(publisher.kind, id) ?? null,
  });
  const dspLabel = dspLabels(settings.metricsNamedDsps);
  const observe = observing(factMetrics(registry, dspLabel), live);
  const facts = new Facts({
    ...deps.factsRoute,
    replica: node.replica,
    clock,
    region: settings.region,
    observe,
    onLogAway: factsLogAlarm(logger),
  });
  const edgeName = `${settings.region}-${systemRandom.id()}`;
  // Log-level data holds every impression: what a DSP does not want in its feed too.
  const storesAll = settings.logLevelData !== null;
  const wins = new WinFeed({ log: providers.log.log, replica: node.replica, clock, edge: edgeName, storesAll });
  const blockedCategories = [...DEFAULT_EDGE_SETTINGS.blockedCategories, ...settings.blockedCategories];
  const recorder = new AuctionRecorder({
    messenger: node.messenger,
    clock,
    random: systemRandom,
    region: settings.region,
    edge: edgeName,
    perSecond: settings.auctionSamplesPerSecond,
    blockedCategories,
  });
  const { log, relayed } = providers.log;
  const readRegions = () => readRegionsAt(relayed, log);
  const isOnlyEdge = settings.redisUrl === null;
  const leasingSettings = {
    ...{ edge: edgeName, renderWindowMs, isOnlyEdge },
    ...(!isOnlyEdge && { readRegions }),
    region: settings.region,
    leaseRecords: providers.leaseRecords,
  };
  const { budgets, ceilings, lender } = createBudgets(node, providers.store, leasingSettings, logger);
  const shares = new PublisherShares({
    sums: providers.counters.sums,
    clock,
    dsp: (id) => node.replica.get<DspProjection>(dsp.kind, id),
    campaign: (id) => (catalogue.dspOf(id) === null ? undefined : catalogue.campaign(id)),
    newShare: settings.newPublisherSharePercent / 100,
    renderWindowMs: renderWindowMs + MAX_SPOOL_DELAY_MS,
    isOnlyEdge: settings.redisUrl === null,
  });
  const verifier = new TrackingVerifier({ secretKey, previousSecretKeys: settings.previousSecretKeys });
  const countries = settings.geoipDatabase === null ? null : await loadCountries(settings.geoipDatabase);
  const judge = new InvalidTrafficDetector({
    settings: invalidTrafficSettings(settings, screeningPolicy),
    clock,
    publisher: (id) => node.replica.get<PublisherProjection>(publisher.kind, id),
    ...(countries !== null && { countryOf: (address) => countries.countryOf(address) }),
  });
  const winNotifier = new WinNotifier({
    ...(settings.redisUrl !== null && { marks: providers.edgeCounters.marks }),
    edge: edgeName,
    clock,
    onWin: (url, dspId) => notices.send('win', url, dspId),
  });
  const viewability = new ViewabilityIngest({
    log: impressionLog,
    verifier,
    facts,
    clock,
    windowMs: renderWindowMs,
    ...(storesAll && { seen: (dspId: string, view: ViewedImpression) => wins.addView(dspId, view) }),
  });
  const spool = await createSpool({ settings, worker, store: providers.store, registry, logger });
  const earned = earningsMetrics(registry);
  const impressions = new ImpressionIngest({
    log: impressionLog,
    region: settings.region,
    verifier,
    spool,
    facts,
    clock,
    logger,
    publisherPolicy: (id) => node.replica.get<PublisherProjection>(publisher.kind, id) ?? null,
    sandboxGenerations: (publisherId, dspId) => ({
      publisher: node.replica.get<PublisherProjection>(publisher.kind, publisherId)?.sandboxGeneration ?? 0,
      dsp: node.replica.get<DspProjection>(dsp.kind, dspId)?.sandboxGeneration ?? 0,
    }),
    hasFeed: (id) => storesAll || node.replica.get<DspProjection>(dsp.kind, id)?.eventFeed !== false,
    wins: winNotifier,
    billed: (url, dspId) => notices.send('billing', url, dspId),
    earned: (publisherId, sandbox, netNanos) => {
      earned(sandbox, netNanos);
      live.earned(publisherId, sandbox, netNanos);
    },
    viewed: countCampaignImpression({ pace, caps, inSandbox: (dspId) => scopeOf(dspId) !== '', clock }),
    verdict: (verified, caller) => judge.detect(verified, caller),
    rendered: (sale) => shares.onRendered(sale),
    tracer,
    renderWindowMs,
    observed: impressionMetrics(registry),
  });
  spoolMetrics(registry, { impressions, spool });
  const privacy = { vendorId: settings.tcfVendorId, truncateWithoutConsent: settings.truncateWithoutConsent };
  const calling = { ...DEFAULT_EDGE_SETTINGS.bidders, ...policy, ...tls, httpClient: settings.bidderHttpClient };
  const asking = { ...calling, creativesUrl: settings.publicCreativesUrl };
  const calls = bidderCallMetrics(registry, dspLabel);
  const bidders = new Bidders(node.replica, asking, clock, () => systemRandom.next(), calls);
  bidderMetrics(registry, bidders, dspLabel);
  const winnerMarkup = new MarkupFetcher(calling, clock);
  const viewers = new Viewers({ privacy, secretKey }, node.replica, clock);
  const auctionCreatives = new AuctionCreatives({
    catalogue: creatives,
    replica: node.replica,
    messenger: node.messenger,
    files: providers.creatives,
    publicCreativesUrl: settings.publicCreativesUrl,
    newPerDay: settings.creativesPerDsp,
    clock,
    random: () => systemRandom.next(),
    logger,
  });
  const edge = createEdge({
    replica: node.replica,
    facts,
    wins: {
      add(sold, auction) {
        wins.add(sold, auction);
        for (const { sale } of sold) if (!sale.sandbox) judge.onSold(sale.publisherId);
      },
    },
    ...(countries !== null && { countryOf: (address) => countries.countryOf(address) }),
    recorder,
    notices,
    bidders,
    winnerMarkup,
    creatives: providers.creatives,
    texts: providers.edgeCounters.texts,
    screening,
    delegates: { catalogue, pace, caps },
    auctionCreatives,
    currencyRates: new CurrentRates(node.replica, clock, settings.currencyRatesMaxAgeMs),
    budgets,
    shares,
    viewers,
    auctionTook: auctionMetrics(registry),
    adRequests: adRequestMetrics(registry),
    isClosed: () => typeof regionSource?.writtenOff === 'string',
    tracking: {
      impression: impressionHandler(impressions, settings.trustProxyHops),
      pixelOutsideKoa: (others) => servePixelOutsideKoa(impressions, systemRandom, settings.trustProxyHops, others),
      view: viewabilityHandler(viewability),
      win: winHandler({
        verifier,
        clock,
        windowMs: renderWindowMs,
        wins: winNotifier,
      }),
    },
    settings: {
      ...DEFAULT_EDGE_SETTINGS,
      region: settings.region,
      publicEdgeUrl: settings.publicEdgeUrl,
      regionUrls: settings.regionUrls,
      publicCreativesUrl: settings.publicCreativesUrl,
      secretKey,
      exchangeDomain: settings.exchangeDomain,
      privacy,
      renderWindowMs,
      maxAuctionsInFlight: settings.maxAuctionsInFlight,
      connections: { ...DEFAULT_EDGE_SETTINGS.connections, maxPerAddress: settings.maxSocketsPerAddress },
      trustProxyHops: settings.trustProxyHops,
      blockedCategories,
      httpsCreativesOnly: settings.httpsCreativesOnly,
      bidders: calling,
      prebidBidderCode: settings.prebidBidderCode,
      prebidCacheBytes: settings.prebidCacheBytes,
    },
    logger,
    tracer,
    random: systemRandom,
    clock,
  });
  regionLenderMetrics(registry, lender);
  edgeMetrics(registry, { notices, recorder, sightings: auctionCreatives.sightings, wins, facts, ceilings, edge });
  const callRates = new SharedCallRates({ bidders, sums: providers.counters.sums, clock });
  const health = new HealthReports({
    bidders,
    messenger: node.messenger,
    clock,
    edge: edgeName,
    region: settings.region,
  });
  const close = async () => {
    // These close before the bidders are forgotten.
    await Promise.all([health.close(), callRates.close()]);
    blockedNetworks.file?.close();
    await edge.close();
    bidders.close();
    await winnerMarkup.close();
    viewers.close();
    await Promise.all([budgets.close(), ceilings.close()]);
    await lender?.close();
    await impressions.close();
    await viewability.close();
    // These close after the last impressions.
    await Promise.all([pace.close(), caps.close(), shares.close()]);
    await Promise.all([facts.close(), auctionCreatives.sightings.close(), wins.close(), recorder.close()]);
    await live.close();
    await notices.close(NOTICES_GRACE_MS);
  };
  blockedNetworks.file?.start();
  facts.start();
  auctionCreatives.sightings.start();
  recorder.start();
  wins.start();
  live.start();
  viewability.start();
  pace.start();
  shares.start();
  budgets.start();
  lender?.start();
  ceilings.start();
  health.start();
  callRates.start();
  void impressions.start();
  const listen = () => openPort('EDGE_PORT', settings.edgePort, () => edge.listen(settings.edgePort));
  return {
    listen,
    views: viewability,
    requests: () => edge.requests,
    connections: () => edge.connections(),
    keepConnections: (kept) => edge.keepConnections(kept),
    drain: () => edge.drain(),
    close,
  };
}

/**
 * Wraps the facts so that the metrics of operators and the live figures of accounts come from the same counts as the
 * ledgers'.
 */
function observing(
  metrics: (sandbox: boolean) => FactObserver,
  live: LiveRecorder,
): (sandbox: boolean) => FactObserver {
  return (sandbox) => {
    const toMetrics = metrics(sandbox);
    return (scope, whose, counts) => {
      toMetrics(scope, whose, counts);
      if (scope === 'publisher') live.count(whose, sandbox, counts);
    };
  };
}

/** Logs that counts wait, and that they do no longer. */
function factsLogAlarm(logger: Logger): (away: boolean) => void {
  return (away) => {
    if (away) logger.error('the log of counts does not answer: they wait for 2 minutes, and are dropped then');
    else logger.info('the log of counts answers again');
  };
}
