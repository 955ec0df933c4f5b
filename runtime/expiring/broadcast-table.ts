import type { BroadcastPart, Broadcasts } from '../ports/broadcasts.ts';
import { CountersUnavailable } from '../ports/errors.ts';

/** The most texts of a topic that are kept. */
const KEPT = 1_000;

interface Topic {
  readonly texts: string[];
  /** The number of texts that were ever published. */
  published: number;
}

/** Broadcasts within one process, in memory. */
export class BroadcastTable implements Broadcasts {
  readonly #topics = new Map<string, Topic>();
  #isClosed = false;

  async publish(topic: string, text: string): Promise<void> {
    const { texts } = this.#of(topic);
    texts.push(text);
    this.#of(topic).published += 1;
    if (texts.length > KEPT) texts.shift();
  }

  async read(topic: string, place: string | null, limit: number): Promise<BroadcastPart> {
    const { texts, published } = this.#of(topic);
    if (place === null) return { texts: [], place: String(published), missed: false };
    const first = published - texts.length;
    const from = Math.max(Number(place), first);
    const part = texts.slice(from - first, from - first + limit);
    return { texts: part, place: String(from + part.length), missed: from > Number(place) };
  }

  close(): void {
    this.#isClosed = true;
    this.#topics.clear();
  }

  #of(topic: string): Topic {
    if (this.#isClosed) throw new CountersUnavailable('the broadcasts are closed');
    let known = this.#topics.get(topic);
    if (known === undefined) {
      known = { texts: [], published: 0 };
      this.#topics.set(topic, known);
    }
    return known;
  }
}
