import { readFile } from 'node:fs/promises';
import { CountryLookup } from '../edge/invalid-traffic/countries.ts';
import { InvalidSettings } from '../settings.ts';

/**
 * Loads the database of GEOIP_DATABASE into memory. The file is read once: with another one, the countries in the URLs
 * of impressions under way would differ from those of their callers. Its reader is loaded only by processes that have
 * the setting.
 * @throws InvalidSettings for a file that cannot be read or is no such database
 */
export async function loadCountries(path: string): Promise<CountryLookup> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings(`GEOIP_DATABASE cannot be read: ${error.message}`);
  });
  const { Reader } = await import('mmdb-lib');
  try {
    return new CountryLookup(new Reader(bytes));
  } catch (error) {
    throw new InvalidSettings(`GEOIP_DATABASE: ${path} is no MaxMind database: ${(error as Error).message}`);
  }
}
