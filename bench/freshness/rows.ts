import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { ApiClient } from '../http/api-client.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { hasRedis, startRedis } from '../processes/redis.ts';
import { failed, millis, perSecond, type Row, skipped } from '../row.ts';
import { sell } from '../soak/sales.ts';
import { percentile } from '../statistics.ts';
import { FreshnessMarket, type MarketSize } from './market.ts';
import { noDelays, probe, SHOWN, type Shown } from './probe.ts';

const PROBES = 5;
const WARM_UP_SECONDS = 10;
/** The bound below 1,000 impressions a second, and that at any load. */
const BELOW_THOUSAND_MS = 5_000;
const AT_ANY_LOAD_MS = 60_000;
/** The interval of the metrics WebSocket, and what its timer and a busy process may add. */
const PUSHES_WITHIN_MS = 5_000 + 1_000;

interface Load {
  readonly name: string;
  readonly size: MarketSize;
  /** Auctions a second, each of which is sold and shown; infinite: as many as are served. */
  readonly perSecond: number;
  readonly boundMs: number;
}

const LOADS: readonly Load[] = [
  {
    name: 'paced',
    size: { publishers: 200, dsps: 20, campaigns: 200, pools: 10 },
    perSecond: 500,
    boundMs: BELOW_THOUSAND_MS,
  },
  {
    name: 'saturated',
    size: { publishers: 5_000, dsps: 1_000, campaigns: 10_000, pools: 200 },
    perSecond: Number.POSITIVE_INFINITY,
    boundMs: AT_ANY_LOAD_MS,
  },
];

/**
 * How long it takes until reports show what was acknowledged: on the embedded log and store, and with the log on Redis
 * and counts on a second one that syncs each second.
 */
export async function freshnessRows(minutes: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const load of LOADS) {
    rows.push(...(await measured('embedded', load, {}, minutes)));
    if (hasRedis()) rows.push(...(await onTwoRedis(load, minutes)));
    else rows.push(skipped(`freshness, counts apart, ${load.name}`, 'redis-server'));
  }
  return rows;
}

async function onTwoRedis(load: Load, minutes: number): Promise<Row[]> {
  const money = await startRedis();
  const facts = await startRedis(['--appendfsync', 'everysec']);
  try {
    const environment = { REDIS_URL: money.url, FACTS_REDIS_URL: facts.url, REDIS_PREFIX: `bench-${randomUUID()}` };
    return await measured('counts apart', load, environment, minutes);
  } finally {
    await Promise.all([money.stop(), facts.stop()]);
  }
}

async function measured(
  where: string,
  load: Load,
  environment: Record<string, string>,
  minutes: number,
): Promise<Row[]> {
  const market = new FreshnessMarket(load.size, PROBES);
  let exchange: ExchangeProcess | null = null;
  try {
    exchange = await startExchange(MEASURED_CORE, environment, market.prepare);
    const { edgePort } = exchange;
    const client = new ApiClient(exchange);
    await sell(edgePort, market.next, load.perSecond, performance.now() + WARM_UP_SECONDS * 1_000);
    const pushes = watchPushes(exchange);
    const endMs = performance.now() + minutes * 60_000;
    const delays = noDelays();
    const [{ sold, seconds }] = await Promise.all([
      sell(edgePort, market.next, load.perSecond, endMs),
      ...market.pairs.map((pair) => probe(edgePort, client, pair, endMs, delays)),
    ]);
    client.close();
    const { publishers, dsps, campaigns } = load.size;
    const number = (count: number) => count.toLocaleString('en-US');
    const market_ = `${number(publishers)} publishers, ${number(dsps)} DSPs, ${number(campaigns)} campaigns`;
    const detail = `${where}, ${perSecond(sold / seconds)} sold and shown, ${market_}`;
    return [
      ...(Object.keys(SHOWN) as Shown[]).map((shown) => rowOf(`${SHOWN[shown]}; ${detail}`, delays[shown], load)),
      pushRow(detail, pushes.gapsMs()),
    ];
  } catch (error) {
    return [failed(`freshness, ${where}, ${load.name}`, error)];
  } finally {
    await exchange?.stop();
  }
}

function rowOf(what: string, delays: readonly number[], { boundMs }: Load): Row {
  const most = Math.max(...delays);
  return {
    what,
    figure: `most ${millis(most)} (p50 ${millis(percentile(delays, 0.5))}, p99 ${millis(percentile(delays, 0.99))}, ${delays.length} seen)`,
    floor: '',
    ratio: '',
    target: `≤ ${boundMs} ms`,
    reached: most <= boundMs,
  };
}

function pushRow(detail: string, gapsMs: readonly number[]): Row {
  const most = Math.max(...gapsMs);
  return {
    what: `between two pushes of the metrics WebSocket; ${detail}`,
    figure: `most ${millis(most)} (p50 ${millis(percentile(gapsMs, 0.5))}, ${gapsMs.length} seen)`,
    floor: '',
    ratio: '',
    target: `≤ ${PUSHES_WITHIN_MS} ms`,
    reached: most <= PUSHES_WITHIN_MS,
  };
}

/** Notes when the metrics WebSocket says something; the last gap lasts until the end. */
function watchPushes({ port, apiKey }: ExchangeProcess): { gapsMs(): number[] } {
  const cameMs = [performance.now()];
  const headers = { Authorization: `Bearer ${apiKey}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/metrics`, { headers, perMessageDeflate: false });
  socket.on('message', () => void cameMs.push(performance.now()));
  socket.on('error', () => {});
  return {
    gapsMs() {
      socket.terminate();
      cameMs.push(performance.now());
      return cameMs.slice(1).map((atMs, index) => atMs - cameMs[index]!);
    },
  };
}
