import { fieldKind } from '../../openrtb-fields.ts';
import { Attribute } from './attribute.ts';

/** The attributes by path, each as long as a predicate uses it. */
export class Attributes {
  readonly #byPath = new Map<string, { readonly attribute: Attribute; references: number }>();

  /** Returns the attribute of a path and counts one more use. Each call must be matched by one call of `release`. */
  hold(path: string): Attribute {
    const whole = path.startsWith('geo.') ? `device.${path}` : path;
    let held = this.#byPath.get(whole);
    if (held === undefined) {
      held = { attribute: new Attribute(whole, fieldKind(whole)), references: 0 };
      this.#byPath.set(whole, held);
    }
    held.references++;
    return held.attribute;
  }

  release({ path }: Attribute): void {
    const held = this.#byPath.get(path)!;
    held.references--;
    if (held.references === 0) this.#byPath.delete(path);
  }

  forget(): void {
    for (const { attribute } of this.#byPath.values()) attribute.forget();
  }
}
