import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readVersion } from './version.ts';

/** The exit code of a program that was called with unknown arguments or with wrong settings. */
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
 * Reads the arguments of a program of the exchange. Ends the process with 0 after `--help` and `--version`, which every
 * program has. Ends it with {@link EXIT_MISUSE} and one sentence on standard error for an unknown argument.
 * @param help the text of `--help`; its first line is printed with an error
 * @param positionals the allowed number of arguments without a name
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
  const flags = parsed.values as { help?: boolean; version?: boolean };
  if (flags.help) process.stdout.write(help);
  else if (flags.version) process.stdout.write(`${await readVersion()}\n`);
  else return parsed;
  process.exit(0);
}

/** Node's further sentences are about positional arguments that begin with a dash, which none of ours do. */
function firstSentence(message: string): string {
  const end = message.indexOf('. ');
  return end < 0 ? message : `${message.slice(0, end)}.`;
}
