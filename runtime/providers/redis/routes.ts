import type { RedisCommands } from './client.ts';

/** The route to the server that has a key. */
export interface Route {
  /**
   * Rejects with `LogUnavailable` when the command fails or is late, and in a replicated log when there is no server in
   * sync.
   */
  run<T>(send: (commands: RedisCommands) => Promise<T>): Promise<T>;
  /** Does the same as `run`, and resolves only once every replica in sync has what was written or read (law 12). */
  runReplicated<T>(send: (commands: RedisCommands) => Promise<T>): Promise<T>;
}

/** The routes of commands, by the key that they use. */
export interface Routes {
  of(key: string): Route;
  /** The reason why nothing can be acknowledged at the moment; undefined when it can. */
  readonly refusal: string | undefined;
}
