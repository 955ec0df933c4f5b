import { startChild } from '../processes/child.ts';
import { OTHER_CORE } from '../processes/cores.ts';
import { type Deployment, startWithEdges } from '../processes/deployment.ts';

/** ms in each direction between home and the edges of each region. */
export const DISTANCES_MS = [0, 80, 150] as const;

interface Servers {
  readonly REDIS_URL: string;
  readonly MONGODB_URL: string;
}

/**
 * Starts one process with the API and the actors at home, and an edge at each of {@link DISTANCES_MS}, whose
 * connections to Redis and MongoDB lead through a process that delays them.
 */
export async function startWithFarEdges(environment: Record<string, string> & Servers): Promise<Deployment> {
  const { REDIS_URL, MONGODB_URL } = environment;
  const oceans = DISTANCES_MS.filter((delayMs) => delayMs > 0).map((delayMs) =>
    startChild<{ urls: [string, string] }>(OTHER_CORE, 'processes/far-servers-process.js', {
      urls: [REDIS_URL, MONGODB_URL],
      delayMs,
    }),
  );
  const stopOceans = () => Promise.all(oceans.map((ocean) => ocean.stop()));
  try {
    const far: Record<string, string>[] = [];
    for (const ocean of oceans) {
      const [redis, mongodb] = (await ocean.next()).urls;
      far.push({ REDIS_URL: redis, MONGODB_URL: mongodb });
    }
    const deployment = await startWithEdges(environment, [{}, ...far]);
    return { ...deployment, stop: () => deployment.stop().finally(stopOceans) };
  } catch (error) {
    await stopOceans();
    throw error;
  }
}
