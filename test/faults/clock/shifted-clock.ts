import { execFile, spawnSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SOURCE = 'test/faults/clock/shifted-clock.c';
const NANOS_PER_MS = 1_000_000n;

/** Why clocks cannot be shifted on this machine; null where they can. */
export function clockMissing(): string | null {
  if (process.platform !== 'linux') return 'clocks are shifted on Linux only';
  return spawnSync('cc', ['--version']).status === 0
    ? null
    : 'there is no C compiler (cc) for the library of the clock';
}

/**
 * The wall clock of the processes and servers that are started with its environment: that of the machine and a shift,
 * the same for all of them at every instant. What they measure durations with is left alone.
 */
export class ShiftedClock {
  readonly environment: Readonly<Record<string, string>>;
  readonly #file: string;
  #shiftMs = 0;

  /** Compiles what shifts the clocks into `folder`. */
  static async start(folder: string, beginMs: number): Promise<ShiftedClock> {
    const library = join(folder, 'shifted-clock.so');
    await run('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', library, SOURCE]);
    const file = join(folder, 'clock-shift');
    await writeFile(file, Buffer.alloc(8));
    const clock = new ShiftedClock(library, file);
    await clock.advance(beginMs - Date.now());
    return clock;
  }

  private constructor(library: string, file: string) {
    this.environment = { LD_PRELOAD: library, SHIFTED_CLOCK: file };
    this.#file = file;
  }

  nowMs(): number {
    return Date.now() + this.#shiftMs;
  }

  /** All clocks jump at once. */
  async advance(ms: number): Promise<void> {
    this.#shiftMs += ms;
    const shift = Buffer.alloc(8);
    shift.writeBigInt64LE(BigInt(this.#shiftMs) * NANOS_PER_MS);
    // In place: a file that was cut to nothing for a moment would end the processes that have it mapped.
    const file = await open(this.#file, 'r+');
    await file.write(shift, 0, 8, 0);
    await file.close();
  }
}
