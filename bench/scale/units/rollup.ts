import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { rollupIdAt } from '#actors/impression-rollup/rollup-id';
import type { ImpressionRollupState } from '#actors/impression-rollup/state';
import type { Send } from '#runtime/actor/context';
import { positionOf } from '#runtime/actor/position';

/** The rollup of one partition, with the reducer of the exchange and positions that rise. */
export class Rollup {
  readonly id: string;
  readonly state: ImpressionRollupState;
  #sequence = 0;
  #position = '0-0';
  #published: string | null = null;

  constructor(partition: number, atMs: number) {
    this.id = rollupIdAt(`${partition}`, atMs);
    this.state = impressionRollup.initial(this.id);
  }

  get position(): string {
    return this.#position;
  }

  /** Returns false for an impression that would be parked, because the rollup has no room for a further row. */
  fold(impression: Impression, nowMs: number): boolean {
    this.#sequence += 1;
    const position = positionOf(Math.floor(nowMs), this.#sequence);
    const context = { id: this.id, address: `tally/${this.id}`, nowMs, position, random: () => 0 };
    try {
      impressionRollup.handle(this.state, { type: 'impression', body: impression }, context);
    } catch {
      return false;
    }
    this.#position = position;
    return true;
  }

  /** What a save turn tells. */
  totals(): readonly Send[] {
    return impressionRollup.totals!(this.state, this.#published, this.id);
  }

  /** All receivers have what the last save turn told. */
  told(): void {
    this.#published = this.#position;
    impressionRollup.onPublished!(this.state, this.#position);
  }
}
