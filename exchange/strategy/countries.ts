import countries from 'i18n-iso-countries';

/**
 * The three letters of an ISO 3166 country that is given by two or three letters in any case; null for any other text.
 */
export function countryOf(code: string): string | null {
  const upper = code.trim().toUpperCase();
  if (upper.length === 2) return countries.alpha2ToAlpha3(upper) ?? null;
  return countries.alpha3ToAlpha2(upper) === undefined ? null : upper;
}
