import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The program of the command `exchange`. */
export const EXCHANGE = resolve('bin/exchange.mjs');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `exchange <args>` in this environment alone, without a terminal. */
export function exchangeCommand(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const env = { PATH: process.env.PATH, ...environment };
  return new Promise((done) => {
    execFile(process.execPath, [EXCHANGE, ...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}
