/** The value in the middle, the upper of two: what most of the others keep to, whatever a busy machine does to some. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1]!;
}
