const LONGEST = 128;

/**
 * Shortens a name that a caller chose, for a record that must stay small: whole characters of text that any store
 * accepts.
 */
export function truncate(text: string, longest = LONGEST): string {
  return text.slice(0, longest).replace(/\p{Surrogate}|\0/gu, '');
}
