import leven from 'leven';
import { SETTING_NAMES } from './declared-settings.ts';

/**
 * Two characters may differ in names of at least this length that begin with the same character, and one in all others:
 * `APP_PORT` belongs to another program and is not a misspelt `OPS_PORT`.
 */
const LONG = 8;
const SHORTEST = 4;

/**
 * Finds variables of the environment that are nearly the name of a setting which is not set itself, and answers a
 * sentence for each. A start with them would use other settings than its operator believes.
 */
export function misspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).flatMap((given) => {
    if (environment[given] === undefined || SETTING_NAMES.has(given)) return [];
    const meant = nearest(given);
    if (meant === null || environment[meant] !== undefined) return [];
    return [`${given} is not a setting: ${meant} is meant, or unset it`];
  });
}

function nearest(given: string): string | null {
  const upper = given.toUpperCase();
  for (const name of SETTING_NAMES) {
    const most = name.length >= LONG && name[0] === upper[0] ? 2 : 1;
    if (name.length < SHORTEST || Math.abs(name.length - given.length) > most) continue;
    if (leven(upper, name, { maxDistance: most + 1 }) <= most) return name;
  }
  return null;
}
