import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { pause } from '#async/pause';
import { Rejected } from '#runtime/actor/errors';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import type { StateStore } from '#runtime/ports/store';

export interface ScannerDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'query'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Due creatives are looked up at this interval: one query of an index. */
  readonly pollMs?: number;
  /** Scans a claimed creative and tells its actor. */
  readonly process: (id: string, state: CreativeState, stop: AbortSignal) => Promise<void>;
}

const POLL_MS = 1_000;
const AT_ONCE = 6;
/** Of one demand source, so that one with many creatives or slow servers delays no other. */
const AT_ONCE_PER_DSP = 3;
/** The claim lasts longer than a scan. */
const CLAIM_MS = 2 * 60_000;

/**
 * Scans creatives that are due while it runs, each within about a second of its first sale. A creative is claimed from
 * its actor first. All that a scan comes to is in the actors, so that another process goes on where this one stopped.
 */
export class CreativeScanner {
  readonly #deps: ScannerDeps;
  readonly #stopping = new AbortController();
  /** The demand source of each creative under way. */
  readonly #underWay = new Map<string, { readonly dspId: string; readonly done: Promise<void> }>();
  #ended: Promise<void> = Promise.resolve();
  #wake: AbortController = new AbortController();

  constructor(deps: ScannerDeps) {
    this.#deps = deps;
  }

  start(): this {
    this.#ended = this.#run();
    return this;
  }

  /** Gives up the scans under way; they are due again when their claims end. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the duty ends'));
    this.#wake.abort();
    await this.#ended;
    await Promise.all([...this.#underWay.values()].map(({ done }) => done));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      await this.#beginDue().catch((err) => {
        this.#deps.logger.warn({ err }, 'creatives that are due could not be read; the next round goes on');
      });
      // A scan that has ended makes room for the next one at once.
      if (!signal.aborted) await pause(this.#deps.clock, this.#deps.pollMs ?? POLL_MS, this.#wake.signal);
    }
  }

  async #beginDue(): Promise<void> {
    const { store, clock } = this.#deps;
    const room = AT_ONCE - this.#underWay.size;
    if (room <= 0) return;
    const nowMs = clock.now();
    const full = this.#fullDsp();
    const { documents } = await store.query(creative.kind, {
      where: {
        nextScanAt: { gte: '0', lt: new Date(nowMs + 1).toISOString() },
        claimedUntilMs: { gte: 0, lt: nowMs },
        ...(full !== null && { dspId: { not: full } }),
      },
      orderBy: 'nextScanAt',
      limit: AT_ONCE + room,
    });
    for (const { id, state } of documents) {
      const { dspId } = state as CreativeState;
      if (this.#underWay.size >= AT_ONCE) break;
      if (this.#underWay.has(id) || this.#countOf(dspId) >= AT_ONCE_PER_DSP) continue;
      const done = this.#work(id).finally(() => {
        this.#underWay.delete(id);
        this.#wake.abort();
      });
      this.#underWay.set(id, { dspId, done });
    }
  }

  /** Never rejects. */
  async #work(id: string): Promise<void> {
    const { messenger, logger } = this.#deps;
    try {
      const state = await messenger.ask(creative, id, 'claim', { forMs: CLAIM_MS });
      await this.#deps.process(id, state, this.#stopping.signal);
    } catch (err) {
      // Another process was faster, or the creative is forgotten.
      if (err instanceof Rejected || this.#stopping.signal.aborted) return;
      logger.warn({ err, creative: id }, 'a creative could not be scanned; it is tried again');
    }
  }

  /** A demand source that has as many scans as it may. With two of them there is no room at all. */
  #fullDsp(): string | null {
    for (const { dspId } of this.#underWay.values()) if (this.#countOf(dspId) >= AT_ONCE_PER_DSP) return dspId;
    return null;
  }

  #countOf(dspId: string): number {
    let count = 0;
    for (const one of this.#underWay.values()) if (one.dspId === dspId) count += 1;
    return count;
  }
}
