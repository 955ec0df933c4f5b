import type { Clock } from '../ports/clock.ts';
import type { SeededRandom } from './seeded-random.ts';
import { EPOCH_MS, type VirtualTime } from './virtual-time.ts';

/** Timers are never early and sometimes late. */
const TIMER_LATENESS_MS = 1;

/**
 * One operating-system process of the cluster: everything that reaches the code inside (timers, answers, messages) goes
 * through `deliver`, so that the process can be stopped (SIGSTOP) and killed (SIGKILL) between any two steps.
 */
export class SimulatedProcess implements Clock {
  readonly name: string;
  /** The offset of its wall clock, ms; monotonic time is correct everywhere. */
  wallSkewMs = 0;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  #state: 'running' | 'paused' | 'dead' = 'running';
  #held: (() => void)[] = [];

  constructor(name: string, time: VirtualTime, random: SeededRandom) {
    this.name = name;
    this.#time = time;
    this.#random = random;
  }

  get running(): boolean {
    return this.#state === 'running';
  }

  get paused(): boolean {
    return this.#state === 'paused';
  }

  get dead(): boolean {
    return this.#state === 'dead';
  }

  now(): number {
    return Math.floor(EPOCH_MS + this.#time.nowMs + this.wallSkewMs);
  }

  monotonic(): number {
    return this.#time.nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    let cancelled = false;
    const cancelEvent = this.#time.after(
      delayMs + this.#random.between(0, TIMER_LATENESS_MS),
      `${this.name} timer`,
      () => this.deliver(() => cancelled || fire()),
    );
    return () => {
      cancelled = true;
      cancelEvent();
    };
  }

  /** Runs `step` inside the process: now, after it is resumed, or never. */
  deliver(step: () => void): void {
    if (this.#state === 'running') step();
    else if (this.#state === 'paused') this.#held.push(step);
  }

  pause(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  /**
   * Resumes the process: delivers held steps one by one in random order, because timers and sockets do not wait for
   * each other.
   */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    const held = this.#held;
    this.#held = [];
    for (const step of held) this.#time.after(0, `${this.name} resumes`, () => this.deliver(step));
  }

  kill(): void {
    this.#state = 'dead';
    this.#held = [];
  }
}
