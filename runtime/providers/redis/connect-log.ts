import { Cluster, type Redis } from 'ioredis';
import { LogIsNew, LogUnavailable, LogUnsafe, StoreUnavailable } from '../../ports/errors.ts';
import {
  commandsOf,
  createClusterClient,
  createServerClient,
  type RedisClient,
  type RedisCommands,
  whenReady,
} from './client.ts';
import type { CommandObserver } from './command-observer.ts';
import { CommandRunner } from './command-runner.ts';
import { oneWritePerTurn } from './one-write-per-turn.ts';
import type { RedisAddress } from './redis-url.ts';
import { assertUnreplicated } from './replication/assert-unreplicated.ts';
import { ReplicatedLog, type ReplicationOptions } from './replication/replicated-log.ts';
import type { Route, Routes } from './routes.ts';

interface ConnectOptions {
  /** Shown in Redis's list of clients. */
  readonly name: string;
  /** Deadline of every command, ms. */
  readonly requestTimeoutMs: number;
  /** The maximum number of commands that wait for answers. Default 100,000. */
  readonly maxWaiting?: number | undefined;
  /** How writes wait for replicas; without it, or with 0 replicas, they do not. */
  readonly replication: ReplicationOptions | undefined;
  readonly report: (problem: string, cause: unknown) => void;
  readonly observer?: CommandObserver | undefined;
}

/** The connection for the commands of a log. */
interface LogConnection {
  readonly name: string;
  readonly clientOptions: {
    readonly name: string;
    readonly silenceMs: number;
    readonly report: (problem: string, cause: unknown) => void;
  };
  readonly main: RedisClient;
  /** What must be closed with the log: `main`, and what others add. */
  readonly clients: RedisClient[];
  readonly requests: CommandRunner;
  /** Present when writes wait for replicas; it must be opened before `routes` are used. */
  readonly replicated: ReplicatedLog | undefined;
  readonly routes: Routes;
  /**
   * Resolves when `routes` can be used.
   * @throws {LogUnsafe} when what waits for replicas and what does not are not as the settled servers demand
   */
  ready(withinMs: number): Promise<void>;
}

/** Begins to connect to the servers of a log. */
export function connectLog(address: RedisAddress, prefix: string, options: ConnectOptions): LogConnection {
  const { name, requestTimeoutMs, replication, report, observer } = options;
  const clientOptions = { name, silenceMs: requestTimeoutMs, report };
  const main = address.cluster
    ? createClusterClient(address, clientOptions)
    : createServerClient(address, clientOptions);
  const requests = new CommandRunner({
    unavailable: LogUnavailable,
    timeoutMs: requestTimeoutMs,
    maxWaiting: options.maxWaiting ?? 100_000,
    observer,
    sending: main instanceof Cluster ? () => {} : oneWritePerTurn(main),
    // ioredis follows a slot that has moved for a single command, but not for one among others in the same write.
    failed: (cause) => {
      if (main instanceof Cluster && cause.message.startsWith('MOVED ')) main.refreshSlotsCache();
    },
  });
  const replicated =
    (replication?.waitReplicas ?? 0) > 0
      ? new ReplicatedLog({ client: main, address, prefix, requests, report }, replication!)
      : undefined;
  const routes = replicated?.routes ?? unreplicatedRoutes(commandsOf(main), requests);
  const ready = async (withinMs: number) => {
    await whenReady(main, withinMs);
    if (replicated) await replicated.open(withinMs);
    else if (replication) await assertUnreplicated(replication.store);
  };
  return { name, clientOptions, main, clients: [main], requests, replicated, routes, ready };
}

/** What an opening that failed for this cause rejects with. */
export function cannotOpenLog(cause: unknown): unknown {
  return [LogUnavailable, LogIsNew, LogUnsafe, StoreUnavailable].some((known) => cause instanceof known)
    ? cause
    : new LogUnavailable(`cannot open the log in Redis: ${(cause as Error).message}`, { cause });
}

/** The primaries behind a client. */
export function serversOf(client: RedisClient): Redis[] {
  return client instanceof Cluster ? client.nodes('master') : [client];
}

/** Routes that send all commands to one client and wait only for its answers. */
function unreplicatedRoutes(commands: RedisCommands, requests: CommandRunner): Routes {
  const run: Route['run'] = (send) => requests.run(() => send(commands));
  const route: Route = { run, runReplicated: run };
  return { of: () => route, refusal: undefined };
}
