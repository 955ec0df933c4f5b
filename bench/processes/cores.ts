import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** What is measured has a core of its own; load, bidders and servers share the other. */
export const MEASURED_CORE = 0;
export const OTHER_CORE = 1;

const pins = spawnSync('taskset', ['--version']).status === 0;

/** Whether processes can be kept on one core here. Without it figures are rougher. */
export const canPin: boolean = pins;

/** `command` as it is to be spawned, to run on one core. */
export function onCore(core: number, command: readonly string[]): [string, ...string[]] {
  return (pins ? ['taskset', '-c', String(core), ...command] : [...command]) as [string, ...string[]];
}

/** Keeps this process, all its threads, on the core that is not measured. */
export function pinToOtherCore(): void {
  if (pins) spawnSync('taskset', ['-a', '-c', '-p', String(OTHER_CORE), String(process.pid)]);
}

/** Takes it back, for what is measured as its users run it. */
export function useAllCores(): void {
  if (pins) spawnSync('taskset', ['-a', '-c', '-p', `0-${cpus().length - 1}`, String(process.pid)]);
}
