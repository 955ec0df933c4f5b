import { readdirSync, readlinkSync } from 'node:fs';
import { KeptIds } from '../memory/kept-ids.ts';
import { freePort } from '../processes/exchange.ts';
import { anonymousBytes } from '../processes/resources.ts';
import { megabytes, type Row, skipped, times } from '../row.ts';
import { mean } from '../statistics.ts';
import { InspectedHeap } from './inspected-heap.ts';
import { sell, withSellingExchange } from './sales.ts';

const WARM_UP_SECONDS = 10;
const SATURATED_SECONDS = 10;
const SHARE_OF_SATURATION = 0.7;
/** The share of the run that fills what is bounded: caches, and ids that are kept for their time. */
const FILLING = 0.4;
const SAMPLE_EVERY_MS = 10_000;
/** What is done once a minute makes what is held rise and fall, so whole minutes are compared. */
const MINUTE_MS = 60_000;
const PARTS = 5;
/** What the last part of the rest may hold, to what its first part does. */
const FLAT = 1.02;

interface Sample {
  /** From the first sample, ms. */
  readonly atMs: number;
  readonly heapBytes: number;
  /** Of the heap, V8's code. */
  readonly codeBytes: number;
  readonly anonymousBytes: number;
  readonly sockets: number;
  readonly redisBytes: number;
}

/**
 * An exchange on Redis that serves 70% of what it can for `minutes`: nothing may grow. The heap is measured after a
 * full collection, Redis without the ids of impressions, which it keeps for the render window and one hour.
 */
export async function soakRows(redisUrl: string | null, minutes: number): Promise<Row[]> {
  const during = `${minutes} min at ${SHARE_OF_SATURATION} of saturation`;
  if (redisUrl === null) return [skipped(`soak, ${during}`, 'Redis')];
  const inspectPort = await freePort();
  const environment = { NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}` };
  return withSellingExchange(redisUrl, environment, async ({ exchange: { pid, edgePort }, redis, prefix, next }) => {
    // Before there is anything else that Redis takes or gives back.
    const keptIds = await KeptIds.calibrated(redis);
    await sell(edgePort, next, Number.POSITIVE_INFINITY, performance.now() + WARM_UP_SECONDS * 1_000);
    const most = await sell(edgePort, next, Number.POSITIVE_INFINITY, performance.now() + SATURATED_SECONDS * 1_000);
    const perSecond = (SHARE_OF_SATURATION * most.auctions) / most.seconds;
    const heap = await InspectedHeap.open(inspectPort);
    try {
      const beganMs = performance.now() + FILLING * minutes * MINUTE_MS;
      const sample = async (): Promise<Sample> => ({
        atMs: performance.now() - beganMs,
        heapBytes: await heap.usedBytes(),
        codeBytes: await heap.codeBytes(),
        anonymousBytes: anonymousBytes(pid),
        sockets: socketsOf(pid),
        redisBytes: (await keptIds.usage(prefix)).others,
      });
      const samplesFor = (1 - FILLING) * minutes * MINUTE_MS;
      // Whichever fails first ends the run.
      const [{ sold }, samples] = await Promise.all([
        sell(edgePort, next, perSecond, beganMs + samplesFor),
        takeSamples(sample, beganMs, samplesFor),
      ]);
      const detail = `${during}: ${Math.round(perSecond)} auctions/s, ${sold.toLocaleString('en-US')} sold and rendered`;
      const parts = partsOf(samples, samplesFor);
      return [
        flat(`heap after a collection, ${detail}`, parts, ({ heapBytes }) => heapBytes, megabytes),
        reported(
          flat(`of that, V8's code and notes about it, ${during}`, parts, ({ codeBytes }) => codeBytes, megabytes),
        ),
        flat(`memory of Redis without kept ids, ${during}`, parts, ({ redisBytes: bytes }) => bytes, megabytes),
        flat(
          `open sockets, ${during}`,
          parts,
          ({ sockets }) => sockets,
          (count) => count.toFixed(1),
        ),
        reported(flat(`RSS without mapped files, ${during}`, parts, ({ anonymousBytes }) => anonymousBytes, megabytes)),
      ];
    } finally {
      heap.close();
    }
  });
}

/** A sample every ten seconds for `forMs`, from `beganMs` on (monotonic). */
async function takeSamples(sample: () => Promise<Sample>, beganMs: number, forMs: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let atMs = 0; atMs < forMs; atMs += SAMPLE_EVERY_MS) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, beganMs + atMs - performance.now())));
    samples.push(await sample());
  }
  return samples;
}

/** The samples of five stretches of whole minutes each, evenly distributed over `forMs`. */
function partsOf(samples: readonly Sample[], forMs: number): Sample[][] {
  const partMs = Math.max(1, Math.floor(forMs / PARTS / MINUTE_MS)) * MINUTE_MS;
  return Array.from({ length: PARTS }, (_, part) => {
    const fromMs = ((forMs - partMs) * part) / (PARTS - 1);
    return samples.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + partMs);
  });
}

function flat(
  what: string,
  parts: readonly (readonly Sample[])[],
  read: (sample: Sample) => number,
  shown: (value: number) => string,
): Row {
  const means = parts.map((samples) => mean(samples.map(read)));
  const ratio = means.at(-1)! / means[0]!;
  return {
    what,
    figure: `${shown(means.at(-1)!)} (between: ${means.slice(1, -1).map(shown).join(', ')})`,
    floor: `${shown(means[0]!)} at first`,
    ratio: times(ratio),
    target: `≤ ${times(FLAT)}`,
    reached: ratio <= FLAT,
  };
}

/** The row without a target. */
function reported(row: Row): Row {
  return { ...row, target: '', reached: null };
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
