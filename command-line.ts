import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readVersion } from './version.ts';

/** Of a program that was called wrongly: with what it does not know, or with wrong settings. */
export const EXIT_MISUSE = 2;

const COMMON = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T & typeof COMMON; allowPositionals: true; strict: true }>
>;

/**
 * Reads what a program of the exchange was called with. Ends the process after `--help` and `--version`, which every program has,
 * with 0; for an argument that it does not know with {@link EXIT_MISUSE} and one sentence on standard error.
 * @param help what `--help` prints; its first line is said where arguments are wrong
 * @param positionals how many arguments without a name there may be
 */
export async function readArguments<T extends Options>(
  help: string,
  options: T,
  positionals = 0,
): Promise<{ readonly values: Parsed<T>['values']; readonly positionals: readonly string[] }> {
  let parsed: Parsed<T>;
  try {
    parsed = parseArgs({ options: { ...COMMON, ...options }, allowPositionals: true, strict: true }) as Parsed<T>;
    const tooMany = parsed.positionals[positionals];
    if (tooMany !== undefined) throw new Error(`Unexpected argument '${tooMany}'`);
  } catch (error) {
    process.stderr.write(`${firstSentence((error as Error).message)}\n${help.split('\n', 1)[0]}\n`);
    process.exit(EXIT_MISUSE);
  }
  const asked = parsed.values as { help?: boolean; version?: boolean };
  if (asked.help) process.stdout.write(help);
  else if (asked.version) process.stdout.write(`${await readVersion()}\n`);
  else return parsed;
  process.exit(0);
}

/** What Node adds is about positional arguments that begin with a dash, which none of ours do. */
function firstSentence(message: string): string {
  const end = message.indexOf('. ');
  return end < 0 ? message : `${message.slice(0, end)}.`;
}
