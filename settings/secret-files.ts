import { readFileSync } from 'node:fs';
import { SECRET_SETTINGS } from './declared-settings.ts';

/**
 * Reads the secrets from files, by setting. An error of a file is added to `problems`.
 * @param plain answers the environment variable of a name, null when it is not set
 */
export function readSecretFiles(
  plain: (name: string) => string | null,
  problems: string[],
): ReadonlyMap<string, string | null> {
  return new Map(SECRET_SETTINGS.map((name) => [name, readSecretFile(name, plain, problems)]));
}

/**
 * Reads the file that `<name>_FILE` names, without white space around its content; null when there is no such variable.
 */
function readSecretFile(name: string, plain: (name: string) => string | null, problems: string[]): string | null {
  const path = plain(`${name}_FILE`);
  if (path === null) return null;
  if (plain(name) !== null) {
    problems.push(`${name} and ${name}_FILE exclude each other`);
    return null;
  }
  try {
    const content = readFileSync(path, 'utf8').trim();
    if (content !== '') return content;
    problems.push(`${name}_FILE: ${path} is empty`);
  } catch (error) {
    problems.push(`${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return null;
}
