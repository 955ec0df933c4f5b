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

async function startDivided(
  environment: Record<string, string>,
  core: number,
  edgeCores: readonly number[],
): Promise<Deployment> {
  const started: ExchangeProcess[] = [];
  const stop = async () => {
    for (const process of started.splice(0).reverse()) await process.stop();
  };
  const start = async (core: number, roles: string, prepare?: typeof createUnlimitedAccount) => {
    const process = await startExchange(core, { ...environment, ROLES: roles }, prepare);
    started.push(process);
    return process;
  };
  try {
    const management = await start(core, 'management,actors', createUnlimitedAccount);
    const edges: ExchangeProcess[] = [];
    for (const edgeCore of edgeCores) edges.push(await start(edgeCore, 'edge'));
    return { management, edges, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
