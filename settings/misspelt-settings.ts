import leven from 'leven';
import { SETTING_NAMES } from './declared-settings.ts';

/**
 * Names of so many characters or more are near with two characters that differ, where they begin with the same one: `APP_PORT` is
 * another program's and no `OPS_PORT`. Others are near with one.
 */
const LONG = 8;
const SHORTEST = 4;

/**
 * Names in the environment that are nearly those of settings, which are not set under their own: a sentence for each. A start with
 * them would have other settings than its operator believes.
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
