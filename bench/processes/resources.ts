import { readFileSync } from 'node:fs';

/** The unit of CPU times in /proc/<pid>/stat on Linux, whatever the tick of the kernel. */
const TICKS_PER_SECOND = 100;

/** The CPU time of a process over all threads, user and system, in µs, with a resolution of 10 ms. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in parentheses, which may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
}

/** The resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return bytesInStatus(pid, 'VmRSS');
}

/**
 * The resident memory of a process in bytes, without the pages of mapped files, which the system takes back when it
 * needs them.
 */
export function anonymousBytes(pid: number): number {
  return bytesInStatus(pid, 'RssAnon');
}

function bytesInStatus(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)![1]) * 1024;
}

/** How long an exchange has stood still to collect garbage so far, in µs, by its own metrics. */
export async function collectingMicros(opsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  const sums = metrics.matchAll(/^nodejs_gc_duration_seconds_sum\{[^}]*\} (\S+)$/gm);
  return [...sums].reduce((sum, [, seconds]) => sum + Number(seconds) * 1_000_000, 0);
}
