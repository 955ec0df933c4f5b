import type { Pool } from 'undici';
import type { Clock } from '#runtime/ports/clock';
import { guardedConnect } from '../../http/guarded-connect.ts';
import { LateClient } from '../../http/undici.ts';
import { MemoryQuota } from './memory-quota.ts';
import { type CountsByKind, limitForKind, type Notice, type NoticeKind, type NoticeOutcome } from './notice.ts';
import { type NoticeAttemptResult, NoticeCall } from './notice-call.ts';
import { NoticeQueue } from './notice-queue.ts';
import { RetryQueue } from './retry-queue.ts';
import type { NoticeSettings } from './settings.ts';

const NO_HEADERS: string[] = [];

export interface HostNoticesDeps {
  readonly settings: NoticeSettings;
  readonly clock: Clock;
  readonly counts: CountsByKind;
  /** Memory quota of all hosts of the DSP. */
  readonly memoryQuota: MemoryQuota;
  /**
   * Whether the DSP has a place left for one more notice of this kind in flight. `onSent` and `onEnded` report when a
   * place is taken and when it is free.
   */
  readonly hasCapacity: (kind: NoticeKind) => boolean;
  readonly onSent: () => void;
  readonly onEnded: () => void;
  /** Called when the host has become idle. */
  readonly onIdle: () => void;
}

/**
 * The notices of one DSP to one host: billing notices first, each kind in the order of arrival, retries at the end of
 * their queue.
 */
export class HostNotices {
  readonly #parts: HostNoticesDeps;
  readonly #memoryQuota: MemoryQuota;
  readonly #pool: LateClient<Pool>;
  readonly #retries: RetryQueue;
  readonly #waiting = new NoticeQueue();
  #inFlight = 0;
  #scheduled = false;
  #flushing = false;

  constructor(origin: string, parts: HostNoticesDeps) {
    const { settings, clock, memoryQuota } = parts;
    this.#parts = parts;
    this.#memoryQuota = new MemoryQuota(settings.maxCharsPerHost, memoryQuota);
    this.#retries = new RetryQueue(settings.retries, clock, (due) => this.#enqueue(due));
    const options = {
      connections: settings.maxInFlightPerHost,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: guardedConnect(settings, settings.timeoutMs, {
        ...(settings.secureContext && { secureContext: settings.secureContext }),
      }),
    };
    this.#pool = new LateClient(({ Pool }) => new Pool(origin, options));
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#inFlight === 0 && this.#retries.size === 0;
  }

  /** Number of notices that wait for their next attempt. */
  get retrying(): number {
    return this.#retries.size;
  }

  /** Queues a notice. It is never sent at once: the caller is answering an ad request, which comes first. */
  add(notice: Notice): void {
    const { settings, counts } = this.#parts;
    if (this.#waiting.waiting(notice.kind) >= settings.maxWaitingPerHost || !this.#memoryQuota.reserve(notice))
      counts[notice.kind].dropped++;
    else this.#enqueue([notice]);
  }

  /** Called when the exchange stops: each notice that waits for a retry has its last attempt now. */
  flushRetries(): void {
    this.#flushing = true;
    this.#enqueue(this.#retries.takeAll());
  }

  async close(): Promise<void> {
    for (const notice of [...this.#waiting.takeAll(), ...this.#retries.takeAll()]) this.#settle(notice, 'dropped');
    await this.#pool.destroy().catch(() => undefined);
  }

  #enqueue(notices: readonly Notice[]): void {
    for (const notice of notices) this.#waiting.add(notice);
    this.schedule();
  }

  /** Sends what may be sent, in a later turn of the event loop. */
  schedule(): void {
    if (this.#scheduled || this.#waiting.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#sendSome();
    });
  }

  #sendSome(): void {
    const { settings, hasCapacity: mayGo } = this.#parts;
    this.#waiting.take(
      (kind) => this.#inFlight < limitForKind(settings.maxInFlightPerHost, kind) && mayGo(kind),
      (notice) => this.#send(notice),
    );
  }

  #send(notice: Notice): void {
    const { settings, clock, onSent: went } = this.#parts;
    this.#inFlight++;
    went();
    notice.attempts++;
    const call = new NoticeCall(settings.timeoutMs, clock, (delivery) => this.#ended(notice, delivery));
    const { path, method } = notice;
    this.#pool.get().dispatch({ path, method, headers: NO_HEADERS, body: null }, call);
  }

  #ended(notice: Notice, delivery: NoticeAttemptResult): void {
    this.#inFlight--;
    this.#parts.onEnded();
    if (delivery !== 'retry') this.#settle(notice, delivery);
    else if (this.#flushing || !this.#retries.add(notice)) this.#settle(notice, 'failed');
    if (this.#waiting.size > 0) this.schedule();
    else if (this.isIdle) this.#parts.onIdle();
  }

  #settle(notice: Notice, outcome: NoticeOutcome): void {
    this.#parts.counts[notice.kind][outcome]++;
    this.#memoryQuota.release(notice);
  }
}
