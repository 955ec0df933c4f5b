import type { DeliverySettings } from './settings.ts';

/**
 * Attempts under way, each named within its webhook: bounded for a webhook, so that none takes the others' room, for an origin,
 * and in all.
 */
export class InFlightAttempts {
  readonly #settings: Pick<DeliverySettings, 'atOnce' | 'atOncePerOrigin' | 'atOncePerWebhook'>;
  readonly #attempts = new Map<string, Promise<unknown>>();
  readonly #byWebhook = new Map<string, number>();
  readonly #byOrigin = new Map<string, number>();
  /** Ended since reading began: what is being read may not know of them. */
  #justEnded = new Set<string>();

  constructor(settings: Pick<DeliverySettings, 'atOnce' | 'atOncePerOrigin' | 'atOncePerWebhook'>) {
    this.#settings = settings;
  }

  get full(): boolean {
    return this.#attempts.size >= this.#settings.atOnce;
  }

  /** What is read from now on knows of all that has ended before. */
  beginReading(): void {
    this.#justEnded = new Set();
  }

  /** Unless it is under way already, has just ended, or there is no room. */
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
    // Whoever acts has told of failures; the attempt is as good as not made.
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
