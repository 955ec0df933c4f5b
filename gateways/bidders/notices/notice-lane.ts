import { Pool } from 'undici';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { publicLookup } from '../../http/address-guard.ts';
import type { Notice, NoticeCounts } from './notice.ts';
import { type Delivery, NoticeCall } from './notice-call.ts';
import type { NoticeSettings } from './settings.ts';

const NO_HEADERS: string[] = [];

/** The notices of one host, in the order given, retries at the end of the queue. */
export class NoticeLane {
  readonly #settings: NoticeSettings;
  readonly #clock: Clock;
  readonly #counts: NoticeCounts;
  readonly #idle: () => void;
  readonly #pool: Pool;
  #waiting: Notice[] = [];
  #inFlight = 0;
  #retrying = 0;
  #scheduled = false;

  /** `idle` is called whenever nothing is left to do. */
  constructor(origin: string, settings: NoticeSettings, clock: Clock, counts: NoticeCounts, idle: () => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#counts = counts;
    this.#idle = idle;
    this.#pool = new Pool(origin, {
      connections: settings.maxInFlightPerHost,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: settings.timeoutMs,
        ...(settings.allowPrivateNetworks ? {} : { lookup: publicLookup }),
      },
    });
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#inFlight === 0 && this.#retrying === 0;
  }

  /** Never sends at once: whoever adds a notice is answering somebody, and that goes first. */
  add(notice: Notice): void {
    if (this.#waiting.length + this.#retrying >= this.#settings.maxWaitingPerHost) {
      this.#counts.dropped++;
      return;
    }
    this.#waiting.push(notice);
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#counts.dropped += this.#waiting.length;
    this.#waiting = [];
    await this.#pool.destroy().catch(() => undefined);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#sendSome();
    });
  }

  #sendSome(): void {
    const free = this.#settings.maxInFlightPerHost - this.#inFlight;
    if (free <= 0 || this.#waiting.length === 0) return;
    for (const notice of this.#waiting.splice(0, free)) this.#send(notice);
  }

  #send(notice: Notice): void {
    this.#inFlight++;
    notice.attempts++;
    const call = new NoticeCall(this.#settings.timeoutMs, this.#clock, (delivery) => this.#ended(notice, delivery));
    const method = notice.kind === 'loss' ? 'POST' : 'GET';
    this.#pool.dispatch({ path: notice.path, method, headers: NO_HEADERS, body: null }, call);
  }

  #ended(notice: Notice, delivery: Delivery): void {
    this.#inFlight--;
    if (delivery === 'delivered') this.#counts.delivered++;
    else if (notice.attempts >= this.#settings.maxAttempts) this.#counts.failed++;
    else this.#retryLater(notice);
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.isIdle) this.#idle();
  }

  #retryLater(notice: Notice): void {
    this.#retrying++;
    this.#clock.after(this.#settings.retryDelayMs * 2 ** (notice.attempts - 1), () => {
      this.#retrying--;
      this.#waiting.push(notice);
      this.#schedule();
    });
  }
}
