import { SETTING_NAMES, SETTINGS, type StatedSettings } from './settings/declared-settings.ts';
import { misspeltSettings } from './settings/misspelt-settings.ts';
import { conflictsOf, type ResolvedSettings, resolveSettings } from './settings/resolve.ts';
import { readSecretFiles } from './settings/secret-files.ts';

/** The settings of a process. settings/declared-settings.ts documents each with its environment variable. */
export interface Settings extends ResolvedSettings {
  /** The names of the declared variables that the environment sets. */
  readonly given: ReadonlySet<string>;
}

/** The environment has errors; the message has one line for each. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
}

/**
 * Reads the environment, and the files that `<name>_FILE` names. Tests may set a port to 0, which means any free port.
 * @throws InvalidSettings with every variable that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const plain = (name: string) => environment[name]?.trim() || null;
  const files = readSecretFiles(plain, problems);
  const textOf = (name: string) => files.get(name) ?? plain(name);
  const wrong = (problem: string) => void problems.push(problem);
  const fields = Object.entries(SETTINGS);
  const stated = Object.fromEntries(
    fields.map(([field, setting]) => [field, setting.read(textOf(setting.name), wrong)]),
  ) as unknown as StatedSettings;
  const settings = resolveSettings(stated);
  problems.push(...conflictsOf(stated, settings, (name) => textOf(name) !== null));
  problems.push(...misspeltSettings(environment));
  if (problems.length > 0) throw new InvalidSettings(problems.join('\n'));
  return { ...settings, given: new Set([...SETTING_NAMES].filter((name) => plain(name) !== null)) };
}
