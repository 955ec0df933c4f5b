import { PAGE_SPAN_MS } from '../actors/feed-page/feed-page-id.ts';
import { hashAddress } from '../runtime/node/kind-registry.ts';

/**
 * The number of shared pages of a feed in a stretch, over which edges are spread. With 8, a quiet DSP's feed has few
 * pages in a stretch.
 */
const LANES = 8;
/**
 * The most bytes of a feed that an edge addresses to its shared page in a window. A stretch meets two windows, so a
 * shared page has room for 64 edges, 512 in all.
 */
const SHARED_BYTES = 131_072;
/** The most bytes on a page of an edge's own. */
const OWN_BYTES = 2_097_152;

/** What an edge has addressed to pages of a feed in the present window. */
interface Addressed {
  sharedBytes: number;
  /** The last page of the edge's own; null: none yet. */
  own: { readonly queue: string; bytes: number } | null;
}

/**
 * Chooses the queue, and so the page, of each batch of wins. The page of a batch is settled only when the log takes it,
 * and after an outage the log takes all that has waited in one stretch. So every queue is given a bound of bytes: a
 * feed's few wins go to a queue that edges share, and more go to queues of this run's own, whose names are used once.
 */
export class WinQueues {
  readonly #sharedQueue: string;
  readonly #ownPrefix: string;
  #addressed = new Map<string, Addressed>();
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #ownQueues = 0;

  /** `edge`: unique name of this run of this edge. */
  constructor(edge: string) {
    const lane = hashAddress(edge) % LANES;
    this.#sharedQueue = `${lane}.0`;
    this.#ownPrefix = `${lane}.${hashAddress(edge).toString(36)}`;
  }

  /**
   * Begins a window if the last one has lasted as long as a stretch. Must be called only when the log has taken all
   * batches. `nowMs`: monotonic.
   */
  beginWindow(nowMs: number): void {
    if (nowMs < this.#windowEndMs) return;
    this.#windowEndMs = nowMs + PAGE_SPAN_MS;
    this.#addressed = new Map();
  }

  /** The queue for a batch of so many bytes, which must be fewer than those of an own page. */
  queueFor(feed: string, bytes: number): string {
    let addressed = this.#addressed.get(feed);
    if (addressed === undefined) {
      addressed = { sharedBytes: 0, own: null };
      this.#addressed.set(feed, addressed);
    }
    if (addressed.sharedBytes + bytes <= SHARED_BYTES) {
      addressed.sharedBytes += bytes;
      return this.#sharedQueue;
    }
    if (addressed.own === null || addressed.own.bytes + bytes > OWN_BYTES) {
      addressed.own = { queue: `${this.#ownPrefix}.${this.#ownQueues++}`, bytes: 0 };
    }
    addressed.own.bytes += bytes;
    return addressed.own.queue;
  }
}
