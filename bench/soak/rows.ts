import { readdirSync, readlinkSync } from 'node:fs';
import { KeptIds } from '../memory/kept-ids.ts';
import { freePort } from '../processes/exchange.ts';
import { megabytes, type Row, skipped, times } from '../row.ts';
import { median } from '../statistics.ts';
import { InspectedHeap } from './inspected-heap.ts';
import { sell, withSellingExchange } from './sales.ts';

const WARM_UP_SECONDS = 10;
const SATURATED_SECONDS = 10;
const SHARE_OF_SATURATION = 0.7;
/** The share of the run that fills what is bounded: caches, and ids that are kept for their time. */
const FILLING = 0.4;
const SAMPLES = 30;
/** What the last fifth of the rest may hold, to what its first fifth does. */
const FLAT = 1.02;

interface Sample {
  readonly heapBytes: number;
  readonly sockets: number;
  readonly redisBytes: number;
}

/**
 * An exchange on Redis that serves 70% of what it can for `minutes`: nothing may grow. The heap is measured after a full
 * collection, Redis without the ids of impressions, which it keeps for the render window and one hour.
 */
export async function soakRows(redisUrl: string | null, minutes: number): Promise<Row[]> {
  const during = `${minutes} min at ${SHARE_OF_SATURATION} of saturation`;
  if (redisUrl === null) return [skipped(`soak, ${during}`, 'Redis')];
  const inspectPort = await freePort();
  const environment = { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` };
  return withSellingExchange(redisUrl, environment, async ({ exchange: { pid, edgePort }, redis, prefix, next }) => {
    await sell(edgePort, next, Number.POSITIVE_INFINITY, performance.now() + WARM_UP_SECONDS * 1_000);
    const most = await sell(edgePort, next, Number.POSITIVE_INFINITY, performance.now() + SATURATED_SECONDS * 1_000);
    const perSecond = (SHARE_OF_SATURATION * most.auctions) / most.seconds;
    const heap = await InspectedHeap.open(inspectPort);
    try {
      const keptIds = await KeptIds.calibrated(redis);
      const sample = async (): Promise<Sample> => ({
        heapBytes: await heap.usedBytes(),
        sockets: socketsOf(pid),
        redisBytes: (await keptIds.usage(prefix)).others,
      });
      const endMs = performance.now() + minutes * 60_000;
      // Whichever fails first ends the run.
      const [{ sold }, samples] = await Promise.all([
        sell(edgePort, next, perSecond, endMs),
        takeSamples(sample, endMs, ((1 - FILLING) * minutes * 60_000) / SAMPLES),
      ]);
      const detail = `${during}: ${Math.round(perSecond)} auctions/s, ${sold.toLocaleString('en-US')} sold and rendered`;
      return [
        flat(`heap after a collection, ${detail}`, samples, ({ heapBytes }) => heapBytes, megabytes),
        flat(`memory of Redis without kept ids, ${during}`, samples, ({ redisBytes: bytes }) => bytes, megabytes),
        flat(`open sockets, ${during}`, samples, ({ sockets }) => sockets, String),
      ];
    } finally {
      heap.close();
    }
  });
}

/** The samples of a run until `endMs` (monotonic), one every `stepMs`. */
async function takeSamples(sample: () => Promise<Sample>, endMs: number, stepMs: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < SAMPLES) {
    const dueMs = endMs - (SAMPLES - samples.length) * stepMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    samples.push(await sample());
  }
  return samples;
}

function flat(
  what: string,
  samples: readonly Sample[],
  read: (sample: Sample) => number,
  shown: (value: number) => string,
): Row {
  const fifth = Math.ceil(samples.length / 5);
  const first = median(samples.slice(0, fifth).map(read));
  const last = median(samples.slice(-fifth).map(read));
  const ratio = last / first;
  return {
    what,
    figure: shown(last),
    floor: `${shown(first)} at first`,
    ratio: times(ratio),
    target: `≤ ${times(FLAT)}`,
    reached: ratio <= FLAT,
  };
}

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}
