import { seededRandom } from '#runtime/node/seeded-random';

/** Draws that follow from a seed. */
export class RandomChoices {
  readonly random: () => number;

  constructor(seed: string) {
    this.random = seededRandom(seed);
  }

  /** 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.random() * end);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  one<T>(of: readonly T[]): T {
    return of[this.below(of.length)]!;
  }

  some<T>(of: readonly T[], least: number, most: number): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, () => this.one(of));
  }

  /** The fields of an object that chance leaves in. */
  optional<T extends object>(share: number, fields: { readonly [name in keyof T]?: () => T[name] }): Partial<T> {
    const chosen: Partial<T> = {};
    for (const name of Object.keys(fields) as (keyof T)[]) {
      const draw = fields[name];
      if (draw !== undefined && this.chance(share)) chosen[name] = draw();
    }
    return chosen;
  }
}
