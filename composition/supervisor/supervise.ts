import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type Excludable, type Operations, startOperations } from '../../gateways/operations.ts';
import type { Settings } from '../../settings.ts';
import { openPort } from '../open-port.ts';
import type { Served } from '../served.ts';
import { GatheredMetrics } from './gathered-metrics.ts';
import { KeptProcess } from './kept-process.ts';
import { type ReadinessAnswer, SUPERVISED_AS } from './protocol.ts';

/** The name of the process with all roles but that of edges. */
const OTHERS = 'others';

/** Connections of one edge; null of one that does not say. */
interface Counted {
  readonly edge: KeptProcess;
  readonly open: number | null;
}

/** The processes of one machine. */
export interface Supervisor {
  /**
   * Starts them; resolves when all of them serve.
   * @throws Error when one of them cannot start, or is stopped before it serves; the others are stopped then
   */
  start(): Promise<SupervisedServices>;
  /**
   * Restarts the edges one after another, each when the one before it serves again; the port stays open throughout. The
   * connections that callers keep are shared among them afterwards.
   */
  restartEdges(): Promise<void>;
  /** Stops all processes, each as if it were stopped alone; those too that serve while others still start. */
  stop(): Promise<void>;
  /** Ends what is left at once. */
  kill(): void;
}

/** What all processes serve together. */
interface SupervisedServices extends Served {
  readonly opsPort: number;
}

/**
 * Keeps EDGE_WORKERS edges that share EDGE_PORT running, beside a process with the other roles that `settings` names.
 * The connections are accepted here and handed to the edges in turn. Each edge is one of its own in all else: spool,
 * leases, limits.
 */
export function supervise(settings: Settings, logger: Logger): Supervisor {
  const { roles, edgeWorkers } = settings;
  // Where all of them accepted, a few would get the most.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const others = [...roles].filter((role) => role !== 'edge');
  const kept: KeptProcess[] = [];
  const keep = (name: string, start: () => ReturnType<typeof fork>, returned?: () => void) => {
    const one = new KeptProcess(name, start, logger, returned);
    kept.push(one);
    return one;
  };
  const environment = (name: string, ofRoles: readonly string[]) => ({
    [SUPERVISED_AS]: name,
    ROLES: ofRoles.join(','),
  });
  const rest =
    others.length === 0
      ? null
      : keep(OTHERS, () =>
          fork(process.argv[1]!, process.argv.slice(2), {
            env: { ...process.env, EDGE_WORKERS: '1', ...environment(OTHERS, others) },
          }),
        );
  const edges = Array.from({ length: edgeWorkers }, (_, at) => {
    const name = `edge-${at + 1}`;
    return keep(
      name,
      () => cluster.fork(environment(name, ['edge'])).process,
      () => void balance(),
    );
  });
  /** Callers keep their connections: an edge that starts after others has none until those give up some of theirs. */
  const balance = async () => {
    const counted = await Promise.all(
      edges.map(async (edge): Promise<Counted> => {
        const asked = edge.serving?.ask({ what: 'connections' }).catch(() => null);
        return { edge, open: (await asked) ?? null };
      }),
    );
    const shares = counted.flatMap(({ open }) => (open === null ? [] : [open]));
    const kept = Math.ceil(shares.reduce((sum, open) => sum + open, 0) / shares.length);
    for (const { edge, open } of counted) {
      if (open !== null && open > kept) edge.serving?.ask({ what: 'keepConnections', kept }).catch(() => {});
    }
  };

  const states = new Map<KeptProcess, ReadinessAnswer>();
  const look = async (leftOut: ReadonlySet<Excludable>) => {
    await Promise.all(
      kept.map(async (one) => {
        const question = { what: 'readiness', leftOut: [...leftOut] } as const;
        const asked = one.serving?.ask(question).catch((error) => notReady(String(error.message)));
        states.set(one, (await asked) ?? notReady('start'));
      }),
    );
  };
  const missingOf = (one: KeptProcess) =>
    (states.get(one) ?? notReady('start')).missing.map((part) => `${one.name}: ${part}`);
  const unready = async (leftOut: ReadonlySet<Excludable>) => {
    await look(leftOut);
    const serves = edges.some((edge) => missingOf(edge).length === 0);
    return [...(rest === null ? [] : missingOf(rest)), ...(serves ? [] : edges.flatMap(missingOf))];
  };
  const gathered = new GatheredMetrics();
  let operations: Operations | null = null;
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= Promise.all(kept.map((one) => one.stop())).then(() => operations?.close());
    return stopped;
  };
  return {
    async start() {
      try {
        operations = await openPort('OPS_PORT', settings.opsPort, () =>
          startOperations(settings.opsPort, {
            registry: { metrics: () => gathered.of(kept), contentType: 'text/plain; version=0.0.4; charset=utf-8' },
            unready,
            underWay: () =>
              kept.flatMap((one) => states.get(one)?.underWay.map((work) => `${one.name}: ${work}`) ?? []),
            host: settings.opsHost,
          }),
        );
        const ofOthers = (await rest?.start()) ?? null;
        const [ofEdge] = await Promise.all(edges.map((edge) => edge.start()));
        void balance();
        return {
          port: ofOthers?.port ?? null,
          edgePort: ofEdge!.edgePort,
          firstCredentials: ofOthers?.firstCredentials ?? null,
          opsPort: operations.port,
        };
      } catch (error) {
        await stop();
        throw error;
      }
    },
    async restartEdges() {
      for (const edge of edges) await edge.restart();
      await balance();
    },
    stop,
    kill() {
      for (const one of kept) one.kill();
    },
  };
}

function notReady(part: string): ReadinessAnswer {
  return { missing: [part], underWay: [] };
}
