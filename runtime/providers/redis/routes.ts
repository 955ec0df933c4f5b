import type { RedisCommands } from './client.ts';

/** The way to the server that has a key. */
export interface Route {
  /** Rejects with `LogUnavailable` when the command fails or is late; where the log is replicated, when no server in sync is there. */
  run<T>(send: (commands: RedisCommands) => Promise<T>): Promise<T>;
  /** As `run`, and resolves only once every replica in sync has what was written, or what there was to be read (law 12). */
  runReplicated<T>(send: (commands: RedisCommands) => Promise<T>): Promise<T>;
}

/** Where commands go, by the key that they are about. */
export interface Routes {
  of(key: string): Route;
  /** Why nothing can be acknowledged at the moment; undefined when it can. */
  readonly refusal: string | undefined;
}
