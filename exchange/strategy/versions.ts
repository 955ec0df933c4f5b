const version = /^\d{1,9}(?:\.\d{1,9})*$/;

/** The numbers of a version that a text spells, as in "17.4.1", without zeros at the end; null when it spells none. */
export function versionOf(text: string): readonly number[] | null {
  const trimmed = text.trim();
  if (!version.test(trimmed)) return null;
  const numbers = trimmed.split('.').map(Number);
  while (numbers.length > 1 && numbers.at(-1) === 0) numbers.pop();
  return numbers;
}

/** Writes equal versions alike: "07.0" as "7". Text that spells no version is returned unchanged. */
export function plainVersion(text: string): string {
  return versionOf(text)?.join('.') ?? text;
}

/**
 * Compares two versions number by number, so that 7.10 comes after 7.9. The result is below 0 where `one` is earlier.
 */
export function compareVersions(one: readonly number[], other: readonly number[]): number {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
