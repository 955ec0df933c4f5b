import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The program of the command `exchange`. */
export const EXCHANGE = resolve('bin/exchange.mjs');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Of this process's environment: where programs are, and another date than the machine's (scripts/tests/long.sh). */
const INHERITED = /^(?:PATH|LD_PRELOAD|FAKETIME.*)$/;

/** What a child process with an environment of its own needs of this one's. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name)));
}

/** Runs `exchange <args>` in this environment alone, without a terminal. */
export function exchangeCommand(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const env = { ...inheritedEnvironment(), ...environment };
  return new Promise((done) => {
    execFile(process.execPath, [EXCHANGE, ...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
