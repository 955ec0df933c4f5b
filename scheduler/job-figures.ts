import { Counter, Gauge, type Registry } from 'prom-client';

const HOUR_MS = 3_600_000;

/**
 * What jobs have found, for Prometheus. Only the leader exports it, so alerts take the maximum over all processes. What
 * an earlier leader found is gone once its term is over: its successor finds it anew within the hour, and is told of
 * what daily jobs have found (`Job.recall`).
 */
export class JobFigures {
  readonly #deadLetters: Gauge<'kind'>;
  readonly #differences: Gauge<'of'>;
  readonly #frozen: Counter;
  readonly #heldOpen: Gauge<'month'>;
  readonly #hoursFiled: Gauge<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#deadLetters = new Gauge({
      name: 'dead_letters_waiting',
      help: 'Parked messages that were neither replayed nor discarded, by kind, as the last hourly report has them',
      labelNames: ['kind'],
      registers,
    });
    this.#differences = new Gauge({
      name: 'audit_differences',
      help: 'Differences that the last nightly audit found, of the books and of the audit trail',
      labelNames: ['of'],
      registers,
    });
    this.#frozen = new Counter({
      name: 'billing_statements_frozen_total',
      help: 'Statements that the job of this process has frozen; those that a reader froze first are left out',
      registers,
    });
    this.#heldOpen = new Gauge({
      name: 'billing_statements_held_open',
      help: 'Statements of a closed month that wait, for a dead letter mostly, as the last run of the job has them',
      labelNames: ['month'],
      registers,
    });
    this.#hoursFiled = new Gauge({
      name: 'books_filed_timestamp_seconds',
      help: 'Up to when all hours of ledgers, and of counts with a log of their own, are in the documents of their days, as the last run of the job has it',
      labelNames: ['kind'],
      registers,
    });
  }

  /** `throughMs`: all earlier hours of the kind are in the documents of their days, ms since the epoch. */
  hoursFiled(kind: string, throughMs: number): void {
    // Before the first hour nothing is late.
    if (throughMs >= HOUR_MS) this.#hoursFiled.set({ kind }, throughMs / 1000);
  }

  deadLettersWait(byKind: ReadonlyMap<string, number>): void {
    this.#deadLetters.reset();
    for (const [kind, count] of byKind) this.#deadLetters.set({ kind }, count);
  }

  audited(differences: { readonly books: number; readonly trail: number }): void {
    for (const [of, count] of Object.entries(differences)) this.#differences.set({ of }, count);
  }

  /** `heldOpen`: the number of statements that wait, by month, of every month that was looked at. */
  statementsFrozen(frozen: number, heldOpen: ReadonlyMap<string, number>): void {
    this.#frozen.inc(frozen);
    this.#heldOpen.reset();
    for (const [month, count] of heldOpen) this.#heldOpen.set({ month }, count);
  }

  forget(): void {
    for (const gauge of [this.#deadLetters, this.#differences, this.#heldOpen, this.#hoursFiled]) gauge.reset();
  }
}
