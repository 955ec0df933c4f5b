import type { Faults } from './faults.ts';
import type { Link } from './link.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The handling of a call by a simulated server: it answers now or later, or never. */
export type Serve<T> = (answer: (value: T) => void, fail: (error: Error) => void) => void;

const SHORTEST_GAP_MS = 0.000_1;
/** Mean time of one way over the network, ms. */
const ONE_WAY_MS = 0.3;
/** A call that its caller has given up may still arrive this much later, ms. */
const LATE_UP_TO_MS = 15_000;
/** Probability that a stopped or killed process had not yet handed a request to the network. */
const UNFLUSHED = 0.5;

/** Draws delays with which no call overtakes an earlier one, unless a fault requires it. */
export class InOrderDelays {
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  #lastMs = 0;

  constructor({ time, faults }: { readonly time: VirtualTime; readonly faults: Faults }) {
    this.#time = time;
    this.#faults = faults;
  }

  delayMs(travelMs: number): number {
    const arrivesMs = this.#time.nowMs + travelMs;
    if (arrivesMs <= this.#lastMs && this.#faults.strikes('overtaking', 'call overtakes another')) return travelMs;
    this.#lastMs = Math.max(arrivesMs, this.#lastMs + SHORTEST_GAP_MS);
    return this.#lastMs - this.#time.nowMs;
  }
}

/**
 * A connection of one process to a server: every call takes its own time in each direction, and can be lost, delayed
 * past its deadline, or applied after the caller has given it up. Without faults calls arrive in the order in which
 * they were made.
 */
export class Connection {
  readonly process: SimulatedProcess;
  readonly #time: VirtualTime;
  readonly #faults: Faults;
  readonly #random: SeededRandom;
  readonly #deadlineMs: number;
  readonly #unavailable: (call: string) => Error;
  /** The function that fails each call under way, and the call's name. */
  readonly #pending = new Map<() => void, string>();
  #open = true;
  #closed = false;
  readonly #queue: InOrderDelays;
  /** Called when the connection works again after an interruption. */
  onRestored: () => void = () => {};
  /** The link on the way to the server; null where it is near. */
  link: Link | null = null;

  constructor(
    process: SimulatedProcess,
    world: { readonly time: VirtualTime; readonly faults: Faults; readonly random: SeededRandom },
    deadlineMs: number,
    unavailable: (call: string) => Error,
  ) {
    this.process = process;
    this.#time = world.time;
    this.#faults = world.faults;
    this.#random = world.random.fork(`connection of ${process.name}`);
    this.#deadlineMs = deadlineMs;
    this.#unavailable = unavailable;
    this.#queue = new InOrderDelays(world);
  }

  /** Interrupts the connection in both directions; calls under way fail when the process notices. */
  interrupt(): void {
    this.#open = false;
    for (const fail of this.#pending.keys()) this.#time.after(this.#random.next() * this.#deadlineMs, 'notices', fail);
  }

  /** The names of the calls under way. */
  get underWay(): Iterable<string> {
    return this.#pending.values();
  }

  restore(): void {
    if (this.#open) return;
    this.#open = true;
    this.linkRestored();
  }

  /** Called when the link on the way to the server works again. */
  linkRestored(): void {
    this.process.deliver(() => this.onRestored());
  }

  /** Closes the connection: later calls fail at once. */
  close(): void {
    this.#closed = true;
  }

  /** Makes a call. Rejects with the port's own error when no answer came within the deadline (plus `patienceMs`). */
  request<T>(call: string, serve: Serve<T>, patienceMs = 0): Promise<T> {
    if (this.process.dead) return new Promise(() => {});
    if (this.#closed) return Promise.reject(this.#unavailable(call));
    const fate = this.#faults.outcomeOf(call);
    const { lateCallsLost } = this.#faults;
    const deadlineMs = this.#deadlineMs + (this.#open ? patienceMs : 0);
    const label = `${this.process.name} ${call}`;
    return new Promise<T>((resolve, reject) => {
      let settled = false;
      const settle = (act: () => void) =>
        this.process.deliver(() => {
          if (settled) return;
          settled = true;
          giveUp();
          this.#pending.delete(fail);
          act();
        });
      const fail = () => settle(() => reject(withoutStack(() => this.#unavailable(call))));
      const giveUp = this.#time.after(deadlineMs, `${label} deadline`, fail);
      this.#pending.set(fail, call);
      const answer = (act: () => void) => {
        if (fate === 'reply lost' || fate === 'late') return;
        this.#time.after(this.#oneWayMs(), `${label} answer`, () => {
          if (this.#passes) settle(act);
        });
      };
      const arrive = () => {
        if (!this.#passes || (fate === 'late' && lateCallsLost !== this.#faults.lateCallsLost)) return;
        if (!this.process.running && this.#random.chance(UNFLUSHED)) {
          this.process.deliver(() => this.#time.after(this.#oneWayMs(), `${label} flushed`, arrive));
          return;
        }
        serve(
          (value) => answer(() => resolve(value)),
          (error) => answer(() => reject(error)),
        );
      };
      if (fate === 'request lost') return;
      const travelMs = this.#travelMs(fate, deadlineMs);
      this.#time.after(fate === 'served' ? this.#queue.delayMs(travelMs) : travelMs, label, arrive);
    });
  }

  #travelMs(fate: string, deadlineMs: number): number {
    if (fate === 'late') return deadlineMs + this.#random.next() ** 3 * LATE_UP_TO_MS;
    if (fate === 'slow') return this.#random.between(0.3, 1.1) * deadlineMs;
    return this.#oneWayMs();
  }

  get #passes(): boolean {
    return this.#open && !(this.link?.isCut ?? false);
  }

  #oneWayMs(): number {
    return this.#random.exponential(ONE_WAY_MS) + (this.link?.oneWayMs ?? 0);
  }
}

/** Calls that have no answer are many, and their stacks show the simulator alone. */
function withoutStack(make: () => Error): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
