import { parseArgs } from 'node:util';
import { readVersion } from './version.ts';

/** The exit code of a program that was called with unknown arguments or with wrong settings. */
export const EXIT_MISUSE = 2;

/**
 * Reads the arguments of the program that serves, which takes `--help` and `--version` alone: it ends with 0 after
 * either, and with {@link EXIT_MISUSE} and one sentence on standard error for another argument.
 * @param help the text of `--help`; its first line is printed with an error
 */
export async function readArguments(help: string): Promise<void> {
  let flags: { help?: boolean; version?: boolean };
  try {
    flags = parseArgs({ options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } }).values;
  } catch (error) {
    process.stderr.write(`${firstSentence((error as Error).message)}\n${help.split('\n', 1)[0]}\n`);
    process.exit(EXIT_MISUSE);
  }
  if (!flags.help && !flags.version) return;
  process.stdout.write(flags.help ? help : `${await readVersion()}\n`);
  process.exit(0);
}

/** Node's further sentences are about positional arguments that begin with a dash. */
function firstSentence(message: string): string {
  const end = message.indexOf('. ');
  return end < 0 ? message : `${message.slice(0, end)}.`;
}
