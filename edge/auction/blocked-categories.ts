/** Joins a publisher's blocked categories with the exchange's own. Most publishers have none. */
export function mergeBlockedCategories(
  ofPublisher: readonly string[],
  ofExchange: readonly string[],
): readonly string[] {
  return ofPublisher.length === 0 ? ofExchange : [...ofPublisher, ...ofExchange];
}
