import { fieldKind } from '../../openrtb-fields.ts';
import type { PredicateMemo } from '../predicates/predicate-memo.ts';
import { Attribute } from './attribute.ts';

interface HeldAttribute {
  readonly attribute: Attribute;
  alias: string | null;
  references: number;
}

/** The attributes by path, each as long as a predicate uses it. */
export class Attributes {
  readonly #byPath = new Map<string, HeldAttribute>();
  /** The same by the paths that conditions state in another way than the attribute does. */
  readonly #byAlias = new Map<string, HeldAttribute>();
  readonly #freeNumbers: number[] = [];
  readonly #memo: PredicateMemo;
  #numbers = 0;

  /** `memo` forgets each path that is no longer in use. */
  constructor(memo: PredicateMemo) {
    this.#memo = memo;
  }

  /** Returns the attribute of a path and counts one more use. Each call must be matched by one call of `release`. */
  hold(path: string): Attribute {
    const held = this.#byPath.get(path) ?? this.#byAlias.get(path) ?? this.#open(path);
    held.references++;
    return held.attribute;
  }

  release({ path, number }: Attribute): void {
    const held = this.#byPath.get(path)!;
    held.references--;
    if (held.references > 0) return;
    this.#byPath.delete(path);
    this.#freeNumbers.push(number);
    this.#memo.forget(path);
    if (held.alias === null) return;
    this.#byAlias.delete(held.alias);
    this.#memo.forget(held.alias);
  }

  forget(): void {
    for (const { attribute } of this.#byPath.values()) attribute.forget();
  }

  #open(path: string): HeldAttribute {
    const whole = path.startsWith('geo.') ? `device.${path}` : path;
    let held = this.#byPath.get(whole);
    if (held === undefined) {
      held = {
        attribute: new Attribute(whole, fieldKind(whole), this.#freeNumbers.pop() ?? this.#numbers++),
        alias: null,
        references: 0,
      };
      this.#byPath.set(whole, held);
    }
    if (whole !== path) {
      held.alias = path;
      this.#byAlias.set(path, held);
    }
    return held;
  }
}
