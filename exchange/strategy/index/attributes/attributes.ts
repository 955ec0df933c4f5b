import { fieldKind } from '../../openrtb-fields.ts';
import { Attribute } from './attribute.ts';

/** The paths that predicates look at, each while one does. */
export class Attributes {
  readonly #byPath = new Map<string, { readonly attribute: Attribute; references: number }>();

  /** Every call is to be answered by one of `release`. */
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
