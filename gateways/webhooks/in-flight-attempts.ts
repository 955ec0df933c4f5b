import type { DeliverySettings } from './settings.ts';

/**
 * The attempts in flight, each with a name that is unique within its webhook. Their number is limited for each webhook,
 * so that none takes the room of others, for each origin, and in all.
 */
export class InFlightAttempts {
  readonly #settings: Pick<DeliverySettings, 'atOnce' | 'atOncePerOrigin' | 'atOncePerWebhook'>;
  readonly #attempts = new Map<string, Promise<unknown>>();
  readonly #byWebhook = new Map<string, number>();
  readonly #byOrigin = new Map<string, number>();
  /** Attempts that ended since the last `beginReading`: the state that is being read may not reflect them. */
  #justEnded = new Set<string>();

  constructor(settings: Pick<DeliverySettings, 'atOnce' | 'atOncePerOrigin' | 'atOncePerWebhook'>) {
    this.#settings = settings;
  }

  get full(): boolean {
    return this.#attempts.size >= this.#settings.atOnce;
  }

  /** The caller is about to read the queues: that read reflects all attempts that have ended before this call. */
  beginReading(): void {
    this.#justEnded = new Set();
  }

  /**
   * Begins the attempt, unless it is in flight, has just ended, or there is no room. `act` logs its failures, and ends
   * when its name may be begun again.
   */
  begin(webhookId: string, origin: string, name: string, act: () => Promise<unknown>): void {
    const key = `${webhookId}:${name}`;
    if (this.full || this.#attempts.has(key) || this.#justEnded.has(key)) return;
    if (countOf(this.#byWebhook, webhookId) >= this.#settings.atOncePerWebhook) return;
    if (origin !== '' && countOf(this.#byOrigin, origin) >= this.#settings.atOncePerOrigin) return;
    add(this.#byWebhook, webhookId, 1);
    add(this.#byOrigin, origin, 1);
    const ended = () => {
      this.#attempts.delete(key);
      this.#justEnded.add(key);
      add(this.#byWebhook, webhookId, -1);
      add(this.#byOrigin, origin, -1);
    };
    this.#attempts.set(key, act().then(ended, ended));
  }

  async whenAllEnded(): Promise<void> {
    await Promise.all(this.#attempts.values());
  }
}

function countOf(counts: ReadonlyMap<string, number>, name: string): number {
  return counts.get(name) ?? 0;
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = countOf(counts, name) + change;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
