import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The core of the measured process; load, bidders and servers share the other. */
export const MEASURED_CORE = 0;
export const OTHER_CORE = 1;

const pins = spawnSync('taskset', ['--version']).status === 0;

/** Whether processes can be pinned to a core here. Without it figures are less precise. */
export const canPin: boolean = pins;

/** The command to spawn so that `command` runs on one core. */
export function onCore(core: number, command: readonly string[]): [string, ...string[]] {
  return (pins ? ['taskset', '-c', String(core), ...command] : [...command]) as [string, ...string[]];
}

/** Pins all threads of this process to the core that is not measured. */
export function pinToOtherCore(): void {
  if (pins) spawnSync('taskset', ['-a', '-c', '-p', String(OTHER_CORE), String(process.pid)]);
}

/** Undoes the pinning, for measurements of the program as its users run it. */
export function useAllCores(): void {
  if (pins) spawnSync('taskset', ['-a', '-c', '-p', `0-${cpus().length - 1}`, String(process.pid)]);
}
