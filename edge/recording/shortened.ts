const LONGEST = 128;

/** What strangers name things by, for a record that is to stay small: cut short, whole characters of text that any store takes. */
export function truncate(text: string, longest = LONGEST): string {
  return text.slice(0, longest).replace(/\p{Surrogate}|\0/gu, '');
}
