import { readFileSync } from 'node:fs';

/** The unit of /proc/<pid>/stat on Linux, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** CPU time that a process has used, all threads, user and system, µs. In steps of 10 ms. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The second field is the program's name in parentheses, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
}

/** Resident memory of a process, bytes. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(found![1]) * 1024;
}
