import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onCore } from './cores.ts';

/** A program of the benchmark in a process of its own, which communicates by messages. */
export interface Child<Message> {
  readonly pid: number;
  /** The next message; rejects when the process ends first. */
  next(): Promise<Message>;
  send(message: object): void;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Tracks a process, so that it does not outlive this one. */
export function track(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/**
 * Runs `program`, a path relative to bench/, on `core`. `job` becomes its only argument, as JSON; `options` are those
 * of Node.
 */
export function startChild<Message>(
  core: number,
  program: string,
  job: object,
  options: readonly string[] = [],
): Child<Message> {
  const path = fileURLToPath(new URL(`../${program}`, import.meta.url));
  const [command, ...args] = onCore(core, [
    process.execPath,
    ...options,
    ...execArguments(),
    path,
    JSON.stringify(job),
  ]);
  const child = track(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  const messages: Message[] = [];
  let wake: (() => void) | null = null;
  child.on('message', (message) => {
    messages.push(message as Message);
    wake?.();
  });
  child.once('exit', () => wake?.());
  return {
    pid: child.pid!,
    async next() {
      while (messages.length === 0) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} ended`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return messages.shift()!;
    },
    send: (message) => void child.send(message),
    stop: () => endProcess(child, 'SIGKILL'),
  };
}

/**
 * The options of BENCH_NODE_OPTIONS, which every started process gets, for profiling: `--cpu-prof
 * --cpu-prof-dir=/tmp/p`.
 */
export function execArguments(): string[] {
  return process.env.BENCH_NODE_OPTIONS?.split(' ').filter((option) => option !== '') ?? [];
}

/** Reads, in the child process, the job it was given. */
export function jobOf<Job>(): Job {
  return JSON.parse(process.argv[2]!) as Job;
}

/** Sends, in the child process, its next message to the parent. */
export function sendToParent(message: object): void {
  process.send!(message);
}
