import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import { MEASURED_CORE, OTHER_CORE } from './cores.ts';
import { type ExchangeProcess, startExchange } from './exchange.ts';

export interface Deployment {
  readonly management: ExchangeProcess;
  readonly edges: readonly ExchangeProcess[];
  stop(): Promise<void>;
}

/** Starts one process with all roles, on the embedded pair. */
export async function startInOneProcess(): Promise<Deployment> {
  const management = await startExchange(MEASURED_CORE, {}, createUnlimitedAccount);
  return { management, edges: [management], stop: () => management.stop() };
}

/** Starts one process with the API and the actors, and two edges. */
export function startWithTwoEdges(environment: Record<string, string>): Promise<Deployment> {
  return startDivided(environment, MEASURED_CORE, [MEASURED_CORE, OTHER_CORE]);
}

/** Starts one process with the API and the actors, and an edge that has the measured core to itself. */
export function startWithOneEdge(environment: Record<string, string>): Promise<Deployment> {
  return startDivided(environment, OTHER_CORE, [MEASURED_CORE]);
}

/**
 * Starts one process with the API and the actors, and an edge for each of `edges`, with more environment of its own.
 */
export function startWithEdges(
  environment: Record<string, string>,
  edges: readonly Record<string, string>[],
): Promise<Deployment> {
  const cores = edges.map((_, at) => (at === 0 ? MEASURED_CORE : OTHER_CORE));
  return startDivided(environment, MEASURED_CORE, cores, edges);
}

async function startDivided(
  environment: Record<string, string>,
  core: number,
  edgeCores: readonly number[],
  ofEdges: readonly Record<string, string>[] = [],
): Promise<Deployment> {
  const started: ExchangeProcess[] = [];
  const stop = async () => {
    for (const process of started.splice(0).reverse()) await process.stop();
  };
  const start = async (core: number, own: Record<string, string>, prepare?: typeof createUnlimitedAccount) => {
    const process = await startExchange(core, { ...environment, ...own }, prepare);
    started.push(process);
    return process;
  };
  try {
    const management = await start(core, { ROLES: 'management,actors' }, createUnlimitedAccount);
    const edges: ExchangeProcess[] = [];
    for (const [at, edgeCore] of edgeCores.entries()) {
      edges.push(await start(edgeCore, { ...ofEdges[at], ROLES: 'edge' }));
    }
    return { management, edges, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
