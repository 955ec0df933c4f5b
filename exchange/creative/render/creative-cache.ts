import type { Creative } from '../../strategy/document/creative.ts';

/**
 * Caches what was made from a creative, by `key`, as long as the creative itself exists. An entry is valid while the
 * creative is made of the identical parts.
 */
export class CreativeCache<Made> {
  readonly #entries = new WeakMap<Creative, Map<string, { readonly parts: readonly unknown[]; readonly made: Made }>>();

  get(creative: Creative, key: string, parts: readonly unknown[], make: () => Made): Made {
    const ofCreative = this.#entries.get(creative);
    const known = ofCreative?.get(key);
    if (known?.parts.every((part, index) => part === parts[index])) return known.made;
    const made = make();
    if (ofCreative === undefined) this.#entries.set(creative, new Map([[key, { parts, made }]]));
    else ofCreative.set(key, { parts, made });
    return made;
  }
}
