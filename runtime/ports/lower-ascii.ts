const capitals = /[A-Z]+/g;

/** Text with its letters from A to Z small, and nothing else changed: what all stores can compare alike. */
export function lowerAscii(text: string): string {
  return text.replace(capitals, (found) => found.toLowerCase());
}
