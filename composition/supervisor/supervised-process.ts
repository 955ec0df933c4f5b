import { systemTimer, type Timer } from '../../async/pause.ts';
import { PROCESSES_WITHIN_MS } from '../../gateways/operations-deadlines.ts';
import type { Served } from '../served.ts';
import type { Answers, Forked, Question, Told } from './protocol.ts';

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One run of a process that a supervisor has forked. */
export class SupervisedProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves with what it serves; with null when it ends before that. */
  readonly served: Promise<Served | null>;
  readonly ended: Promise<Ended>;
  #isServing = false;
  #isStopping = false;
  readonly #process: Forked;
  readonly #timer: Timer;
  readonly #waiting = new Map<number, (told: { answer: unknown } | { failure: string }) => void>();
  #asked = 0;

  constructor(name: string, forked: Forked, timer: Timer = systemTimer) {
    this.name = name;
    this.pid = forked.pid!;
    this.#process = forked;
    this.#timer = timer;
    this.ended = new Promise((resolve) => {
      forked.once('exit', (code, signal) => resolve({ code, signal }));
      forked.once('error', () => resolve({ code: null, signal: null }));
    });
    this.served = new Promise((resolve) => {
      void this.ended.then(() => {
        this.#isServing = false;
        for (const [, answered] of this.#waiting) answered({ failure: 'ended' });
        resolve(null);
      });
      forked.on('message', (message) => {
        const told = message as Told;
        if ('serving' in told) {
          this.#isServing = true;
          resolve(told.serving);
        } else this.#waiting.get(told.id)?.(told);
      });
    });
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  /** Rejects when it does not answer within `PROCESSES_WITHIN_MS`, or ends. */
  async ask<Q extends Question>(question: Q): Promise<Answers[Q['what']]> {
    const id = ++this.#asked;
    let cancel = () => {};
    const told = await new Promise<{ answer: unknown } | { failure: string }>((resolve) => {
      this.#waiting.set(id, resolve);
      cancel = this.#timer.after(PROCESSES_WITHIN_MS, () => resolve({ failure: 'does not answer' }));
      if (!this.#process.connected) resolve({ failure: 'ended' });
      else this.#process.send({ ...question, id }, (error) => error && resolve({ failure: 'ended' }));
    });
    cancel();
    this.#waiting.delete(id);
    if ('failure' in told) throw new Error(told.failure);
    return told.answer as Answers[Q['what']];
  }

  /**
   * Has it drain and end, however often it is called: a process takes a second SIGTERM for the order to end at once.
   */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#process.kill('SIGTERM');
  }

  /** As a stop, with the drain of one in whose place others serve: main.ts. */
  restart(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.ask({ what: 'restart' }).catch(() => this.#process.kill('SIGTERM'));
  }

  /** Ends it at once. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
