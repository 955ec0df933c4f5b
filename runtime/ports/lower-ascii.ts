const capitals = /[A-Z]+/g;

/** Lowercases the letters A to Z and changes nothing else, because every store can compare such text alike. */
export function lowerAscii(text: string): string {
  return text.replace(capitals, (found) => found.toLowerCase());
}
