/** A body of more bytes than this is large: honest ad requests have a tenth of it. */
const LARGE_BODY_BYTES = 64 * 1024;
/** Upper bound of the bytes of all large bodies of auctions under way: parsed, they take ten times as much memory. */
const MAX_LARGE_BODIES_BYTES = 16 * 1024 * 1024;

/**
 * Counts the auctions under way, refuses those beyond the bound, and reports when all have ended. Large bodies have a
 * bound of their own, so that they displace only each other.
 */
export class AuctionAdmission {
  readonly #max: number;
  #inFlight = 0;
  #largeBytes = 0;
  #whenEmpty: (() => void) | null = null;

  constructor(max: number) {
    this.#max = max;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False when full. Each admitted auction must `leave` once, with the same bytes. */
  enter(bodyBytes: number): boolean {
    if (this.#inFlight >= this.#max) return false;
    if (bodyBytes > LARGE_BODY_BYTES) {
      if (this.#largeBytes + bodyBytes > MAX_LARGE_BODIES_BYTES) return false;
      this.#largeBytes += bodyBytes;
    }
    this.#inFlight++;
    return true;
  }

  leave(bodyBytes: number): void {
    this.#inFlight--;
    if (bodyBytes > LARGE_BODY_BYTES) this.#largeBytes -= bodyBytes;
    if (this.#inFlight === 0) this.#whenEmpty?.();
  }

  whenEmpty(): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenEmpty = resolve;
    });
  }
}
