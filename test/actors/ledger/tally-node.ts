import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';

/** A noon, so that no test's minutes run over midnight. */
export const START_MS = Date.UTC(2026, 2, 14, 12);

interface Saved {
  readonly state: ImpressionRollupState;
  /** How many of the log's entries it reflects. */
  readonly covered: number;
  readonly published: string | null;
}

/**
 * One partition's owner, in the few steps that matter to money: entries are handled, the state is saved, totals of the
 * saved state are told, and it may die between any two of these. What it was given stays in the log.
 */
export class TallyNode {
  readonly #partition: number;
  readonly #tell: (to: string, body: unknown) => void;
  readonly #log: { readonly position: string; readonly nowMs: number; readonly impression: Impression }[] = [];
  #nowMs = START_MS;
  #saved: Saved;
  #state: ImpressionRollupState;
  #covered = 0;
  #published: string | null = null;

  constructor(partition: number, tell: (to: string, body: unknown) => void) {
    this.#partition = partition;
    this.#tell = tell;
    this.#state = impressionRollup.initial(this.#id);
    this.#saved = { state: structuredClone(this.#state), covered: 0, published: null };
  }

  get state(): ImpressionRollupState {
    return this.#state;
  }

  /** Given to the log, and handled at once. */
  append(impression: Impression, waitMs: number): void {
    this.#nowMs += waitMs;
    this.#log.push({ position: `${this.#nowMs}-${this.#log.length}`, nowMs: this.#nowMs, impression });
    this.#handleRest();
  }

  act(what: 'save' | 'crash-unsaved' | 'crash-unpublished' | 'crash-published'): void {
    if (what !== 'crash-unsaved') this.#save();
    if (what === 'save' || what === 'crash-published') this.#publish();
    // A crash forgets what was told: that is noted with the next save only.
    if (what !== 'save') this.#restart();
  }

  #save(): void {
    this.#saved = { state: structuredClone(this.#state), covered: this.#covered, published: this.#published };
  }

  #publish(): void {
    if (this.#covered === 0) return;
    const position = this.#log[this.#covered - 1]!.position;
    for (const { to, body } of impressionRollup.totals!(this.#state, this.#published, this.#id)) this.#tell(to, body);
    this.#published = position;
    impressionRollup.onPublished!(this.#state, position);
  }

  #restart(): void {
    this.#state = structuredClone(this.#saved.state);
    this.#covered = this.#saved.covered;
    this.#published = this.#saved.published;
    this.#publish();
    this.#handleRest();
  }

  #handleRest(): void {
    while (this.#covered < this.#log.length) {
      const { position, nowMs, impression } = this.#log[this.#covered]!;
      const context = { id: this.#id, address: `tally/${this.#id}`, nowMs, position, random: () => 0 };
      impressionRollup.handle(this.#state, { type: 'impression', body: impression }, context);
      this.#covered += 1;
    }
  }

  get #id(): string {
    return impressionRollup.idAt!(String(this.#partition), START_MS);
  }
}
