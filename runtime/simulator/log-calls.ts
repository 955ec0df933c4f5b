import type { Connection } from './connection.ts';
import type { LogServer } from './log-server.ts';

/** What `server` does with a call: now or later it answers, or it never does. */
export type ServeAt<T> = (server: LogServer, answer: (value: T) => void, fail: (error: Error) => void) => void;

/** How one process's calls come to a log server, and when their answers count. */
export interface LogCalls {
  call<T>(name: string, serve: ServeAt<T>, patienceMs?: number): Promise<T>;
  close(): void;
}

export type CallsOf = (connection: Connection) => LogCalls;

/** To the one server that there is: its answers count as they come. */
export function straight(server: LogServer): CallsOf {
  return (connection) => ({
    call: (name, serve, patienceMs) =>
      connection.request(name, (answer, fail) => serve(server, answer, fail), patienceMs),
    close() {},
  });
}
