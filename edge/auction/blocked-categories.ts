interface Merged {
  readonly ofExchange: readonly string[];
  readonly all: readonly string[];
}

/** By a publisher's list: the last merge of it. A publisher that changes has another list. */
const merges = new WeakMap<readonly string[], Merged>();

/**
 * Joins a publisher's blocked categories with the exchange's own. Most publishers have none. Equal calls return the
 * same list, so that what is derived from it can be kept.
 */
export function mergeBlockedCategories(
  ofPublisher: readonly string[],
  ofExchange: readonly string[],
): readonly string[] {
  if (ofPublisher.length === 0) return ofExchange;
  const known = merges.get(ofPublisher);
  if (known?.ofExchange === ofExchange) return known.all;
  const all = [...ofPublisher, ...ofExchange];
  merges.set(ofPublisher, { ofExchange, all });
  return all;
}
