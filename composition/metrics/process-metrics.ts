import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

/** Sums of `nodejs_active_resources`, `_handles` and `_requests`: gauges that are named as counters are. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

export interface Build {
  readonly version: string;
  /** The commit that was built; `unknown` where nothing says it. */
  readonly revision: string;
}

/**
 * Exports what every process of Node has: processor, memory, event loop, garbage collector. And which program it is.
 */
export function processMetrics(registry: Registry, { version, revision }: Build): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'exchange_build_info',
    help: '1, with the version of the program, the commit that was built, and the version of Node that runs it',
    labelNames: ['version', 'revision', 'node_version'],
    registers: [registry],
  }).set({ version, revision, node_version: process.version }, 1);
}
