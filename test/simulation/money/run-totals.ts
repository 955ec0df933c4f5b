import type { MoneyRun } from './simulate-money.ts';

const SUMMED = [
  'months',
  'regions',
  'sold',
  'refused',
  'billed',
  'late',
  'expired',
  'statements',
  'deaths',
  'events',
] as const;

/** What many runs come to. */
export class RunTotals {
  runs = 0;
  failed = 0;
  /** Runs with regions that have logs of their own. */
  withRegions = 0;
  readonly #firstSeed: number;
  readonly #began = performance.now();
  readonly #beganCpu = process.cpuUsage();
  readonly #sums = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #corners = new Map<string, { times: number; seeds: number }>();

  constructor(firstSeed: number) {
    this.#firstSeed = firstSeed;
  }

  add(run: MoneyRun): void {
    this.runs += 1;
    if (run.violations.length > 0) this.failed += 1;
    if (run.regions > 0) this.withRegions += 1;
    for (const name of SUMMED) addTo(this.#sums, name, run[name]);
    for (const [name, count] of run.faults) addTo(this.#faults, name, count);
    for (const [name, count] of run.corners) {
      const { times, seeds } = this.#corners.get(name) ?? { times: 0, seeds: 0 };
      this.#corners.set(name, { times: times + count, seeds: seeds + 1 });
    }
  }

  /** Since the first run began. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** How often each fault was injected, and each corner was come into, with the number of seeds under which it was. */
  details(): string[] {
    const byName = <T>(counts: ReadonlyMap<string, T>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ...byName(this.#faults).map(([name, count]) => `${String(count).padStart(8)} ${name}`),
      'corners: times, seeds',
      ...byName(this.#corners).map(
        ([name, { times, seeds }]) => `${String(times).padStart(8)} ${String(seeds).padStart(6)} ${name}`,
      ),
    ];
  }

  summary(): string {
    const { user, system } = process.cpuUsage(this.#beganCpu);
    const cpuSeconds = (user + system) / 1_000_000;
    const sums = [...this.#sums].map(([name, count]) => `${count} ${name}`).join(', ');
    const last = this.#firstSeed + this.runs - 1;
    const speed = `${(this.runs / this.seconds).toFixed(2)} a second, ${(cpuSeconds / this.runs).toFixed(2)} s of processor each`;
    return `${sums}\n${this.runs} seeds, ${this.#firstSeed} to ${last}, ${this.withRegions} with regions: ${this.failed} failed, in ${this.seconds.toFixed(0)} s, ${speed}`;
  }
}

function addTo(sums: Map<string, number>, name: string, count: number): void {
  sums.set(name, (sums.get(name) ?? 0) + count);
}
