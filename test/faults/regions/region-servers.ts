import { eventually } from '../../support/eventually.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import type { Deployment } from '../exchange/deployment.ts';
import type { ExchangeProcess } from '../exchange/exchange-process.ts';
import type { Run } from '../suite/scenario.ts';

/** Three sets of edges take part, and one machine runs them all: one process with actors, and few users. */
export const REGIONAL = { actors: 1, changedSources: 2, lanes: 2 } as const;
/** One way to home, ms. */
const DELAYS = { nyc: 40, lon: 75 } as const;
const DRAINED_WITHIN_MS = 120_000;

/** A region with a log of its own, and its link to home. */
interface RemoteRegion {
  readonly log: RedisServer;
  readonly link: TcpProxy;
}

/** Home, in fra, and two regions with logs of their own behind links that delay. */
export class RegionServers {
  readonly home: RedisServer;
  readonly nyc: RemoteRegion;
  readonly lon: RemoteRegion;

  /** `environment`: variables of all servers. */
  static async start(run: Run, environment: Readonly<Record<string, string>> = {}): Promise<RegionServers> {
    const server = async () => {
      const started = await startRedisServer({}, environment);
      run.atEnd(() => started.remove());
      return started;
    };
    const home = await server();
    const remote = async (region: keyof typeof DELAYS): Promise<RemoteRegion> => {
      const log = await server();
      const link = await openTcpProxy('127.0.0.1', home.port, DELAYS[region]);
      run.atEnd(() => link.close());
      return { log, link };
    };
    return new RegionServers(home, await remote('nyc'), await remote('lon'));
  }

  private constructor(home: RedisServer, nyc: RemoteRegion, lon: RemoteRegion) {
    this.home = home;
    this.nyc = nyc;
    this.lon = lon;
  }

  /** Of the edges in fra, nyc and lon. */
  get edgeSettings(): readonly Readonly<Record<string, string>>[] {
    const of = (region: string, { log, link }: RemoteRegion) => ({
      REGION: region,
      REDIS_URL: `redis://127.0.0.1:${link.port}`,
      REGION_REDIS_URL: log.url,
      EDGE_REDIS_URL: log.url,
    });
    return [{}, of('nyc', this.nyc), of('lon', this.lon)];
  }
}

/** Impressions in the logs of regions that are not known to be at home. */
export function backlogOf(deployment: Deployment, edges?: readonly ExchangeProcess[]): Promise<number> {
  return deployment.metric('exchange_region_relay_backlog_entries', edges && [...edges]);
}

/** Resolves, with how long it took, when all of these edges' regions is at home. */
export async function waitUntilDrained(deployment: Deployment, edges = deployment.edges): Promise<number> {
  const sinceMs = performance.now();
  const isDrained = async () => {
    const behindS = await deployment.metric('exchange_region_relay_behind_seconds', [...edges]);
    return behindS < 3 && (await backlogOf(deployment, edges)) === 0;
  };
  await eventually('the regions to be at home', isDrained, { timeoutMs: DRAINED_WITHIN_MS, everyMs: 100 });
  return performance.now() - sinceMs;
}
