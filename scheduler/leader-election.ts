import { EXCHANGE_LEASE_ID, jobLease } from '../actors/job-lease/job-lease.ts';
import type { JobLeaseReply, ListedWorker, RunRequest } from '../actors/job-lease/messages.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { Messenger } from '../runtime/actor/messenger.ts';
import type { Clock } from '../runtime/ports/clock.ts';
import type { LeaderTerm } from './leader-term.ts';

/** The leadership ends this many ms after its last renewal was requested. */
export const LEASE_MS = 12_000;
/** The leader and each waiting process request the lease at this interval, ms. */
export const RENEW_INTERVAL_MS = 4_000;

export interface LeaderElectionDeps {
  readonly messenger: Messenger;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name of this run of this process. */
  readonly process: string;
  readonly jobs: readonly string[];
  readonly duties: readonly ListedWorker[];
}

export interface LeaderCallbacks {
  /** Called when a term begins. */
  onElected(term: LeaderTerm): void;
  /** Called when a term has ended, after its signal has aborted. */
  onDeposed(term: LeaderTerm): void;
  /** Called with each reply that grants or renews the lease, the first included. */
  onRenewed(requests: readonly RunRequest[]): void;
  /** The run requests up to this number have become runs. */
  readonly takenUpTo: number;
}

interface HeldTerm extends LeaderTerm {
  readonly ending: AbortController;
}

/**
 * Requests the leader lease again and again, and knows when this process is the leader: from a granting reply until
 * LEASE_MS after its request, by the monotonic clock. The log grants the lease from a later instant on, so the term is
 * over here before another process can be the leader.
 */
export class LeaderElection {
  readonly #deps: LeaderElectionDeps;
  readonly #callbacks: LeaderCallbacks;
  #term: HeldTerm | null = null;
  /** The log's clock at one instant of the monotonic clock. */
  #known = { logMs: 0, atMs: 0 };
  #cancelNext = () => {};
  #cancelExpiry = () => {};
  #asking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: LeaderElectionDeps, callbacks: LeaderCallbacks) {
    this.#deps = deps;
    this.#callbacks = callbacks;
  }

  start(): void {
    this.#asking = this.#round();
  }

  /**
   * Stops requesting the lease, and ends the term. {@link resign} frees the lease for others once the runs have come to
   * rest.
   */
  async end(): Promise<void> {
    this.#closed = true;
    this.#cancelNext();
    await this.#asking;
    this.#endTerm();
  }

  async resign(): Promise<void> {
    const { messenger, logger, process } = this.#deps;
    // If this message fails, other processes wait until the lease expires.
    await messenger
      .tell(jobLease, EXCHANGE_LEASE_ID, 'let-go', { process })
      .catch((err) => logger.warn({ err }, 'leadership could not be resigned'));
  }

  async #round(): Promise<void> {
    const { clock, messenger, logger, process, jobs, duties } = this.#deps;
    const askedAtMs = clock.monotonic();
    try {
      const held = await messenger.ask(
        jobLease,
        EXCHANGE_LEASE_ID,
        'hold',
        { process, forMs: LEASE_MS, jobs: [...jobs], duties: [...duties], takenUpTo: this.#callbacks.takenUpTo },
        { timeoutMs: RENEW_INTERVAL_MS },
      );
      this.#onAnswer(held, askedAtMs);
    } catch (err) {
      logger.warn({ err }, 'leadership could not be requested');
    }
    if (this.#closed) return;
    const spentMs = clock.monotonic() - askedAtMs;
    this.#cancelNext = clock.after(Math.max(0, RENEW_INTERVAL_MS - spentMs), () => {
      this.#asking = this.#round();
    });
  }

  #onAnswer(held: JobLeaseReply, askedAtMs: number): void {
    const { clock } = this.#deps;
    const leftMs = askedAtMs + LEASE_MS - clock.monotonic();
    const mine = held.yours && leftMs > 0 && !this.#closed;
    if (!mine || this.#term?.number !== held.term) this.#endTerm();
    if (!mine) return;
    this.#known = { logMs: held.nowMs, atMs: clock.monotonic() };
    this.#cancelExpiry();
    this.#cancelExpiry = clock.after(leftMs, () => this.#endTerm());
    if (this.#term === null) this.#beginTerm(held.term);
    this.#callbacks.onRenewed(held.requests);
  }

  #beginTerm(number: number): void {
    const ending = new AbortController();
    const { clock, logger } = this.#deps;
    const nowMs = () => this.#known.logMs + Math.floor(clock.monotonic() - this.#known.atMs);
    this.#term = { number, over: ending.signal, ending, nowMs };
    logger.info({ term: number }, 'this process runs the jobs');
    this.#callbacks.onElected(this.#term);
  }

  #endTerm(): void {
    const term = this.#term;
    if (term === null) return;
    this.#term = null;
    this.#cancelExpiry();
    this.#deps.logger.info({ term: term.number }, 'this process runs no jobs any more');
    term.ending.abort(new Error('another process may run jobs now'));
    this.#callbacks.onDeposed(term);
  }
}
