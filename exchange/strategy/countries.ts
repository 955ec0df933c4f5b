// Without the names of countries in 80 languages, which the package's own entry loads: 11 MB of an idle process.
import countries from 'i18n-iso-countries/index.js';

/**
 * The three letters of an ISO 3166 country that is given by two or three letters in any case; null for any other text.
 */
export function countryOf(code: string): string | null {
  const upper = code.trim().toUpperCase();
  if (upper.length === 2) return countries.alpha2ToAlpha3(upper) ?? null;
  return countries.alpha3ToAlpha2(upper) === undefined ? null : upper;
}
