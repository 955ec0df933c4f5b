/** A publisher's block list with the exchange's own; most publishers have none. */
export function mergeBlockedCategories(
  ofPublisher: readonly string[],
  ofExchange: readonly string[],
): readonly string[] {
  return ofPublisher.length === 0 ? ofExchange : [...ofPublisher, ...ofExchange];
}
