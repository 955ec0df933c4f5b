import { Overloaded } from '../../runtime/actor/errors.ts';

/** How many looks at sources that somebody has asked for go on at a time, in one process. */
interface LookBounds {
  readonly atOnce: number;
  readonly perAccount: number;
}

/** Each look asks up to some tens of servers, whose owners did not ask for it, and holds megabytes of what they answer. */
export const DEFAULT_LOOK_BOUNDS: LookBounds = { atOnce: 16, perAccount: 4 };

/** Lets so many looks go on, in all and for an account; who asks for one that is under way shares it. */
export class LooksAskedFor<T> {
  readonly #bounds: LookBounds;
  /** By source. */
  readonly #underWay = new Map<string, Promise<T>>();
  readonly #byAccount = new Map<string, number>();

  constructor(bounds: LookBounds) {
    this.#bounds = bounds;
  }

  /** @throws Overloaded when there is no room */
  look(source: string, accountId: string, act: () => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(source);
    if (underWay !== undefined) return underWay;
    const ofAccount = this.#byAccount.get(accountId) ?? 0;
    const { atOnce, perAccount } = this.#bounds;
    if (this.#underWay.size >= atOnce || ofAccount >= perAccount) {
      throw new Overloaded('too many sources are being looked at');
    }
    this.#byAccount.set(accountId, ofAccount + 1);
    const looking = act().finally(() => {
      this.#underWay.delete(source);
      const left = this.#byAccount.get(accountId)! - 1;
      if (left === 0) this.#byAccount.delete(accountId);
      else this.#byAccount.set(accountId, left);
    });
    this.#underWay.set(source, looking);
    return looking;
  }
}
