import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readVersion } from '../version.ts';
import { commands } from './commands.ts';
import { type CommandDefinition, CommandFailed, EXIT, type OptionDefinition, type Run } from './definition.ts';
import { PROGRAM, PROGRAM_EXAMPLES, PROGRAM_SUMMARY } from './program-help.ts';
import { optionsOf } from './shared-options.ts';
import { inLines } from './terminal.ts';

/**
 * Runs the command that the arguments name and sets the exit code ({@link EXIT}). Its outcome goes to standard output,
 * in one line of JSON with `--json`; errors are one sentence on standard error, with `--json` a line of JSON.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command(PROGRAM).description(PROGRAM_SUMMARY).version(await readVersion());
  program.addHelpText('after', examplesText(PROGRAM_EXAMPLES));
  behave(program);
  for (const definition of commands) program.addCommand(commandOf(definition, PROGRAM));
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was not asked for is shown for want of a command.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.misuse;
  }
}

function commandOf(definition: CommandDefinition, path: string): Command {
  const fullName = `${path} ${definition.name}`;
  const command = new Command(definition.name).summary(definition.summary);
  if (definition.heading !== undefined) command.helpGroup(`${definition.heading}:`);
  command.description(definition.description ?? `${definition.summary}.`);
  for (const { name, description, choices } of definition.arguments ?? []) {
    const argument = new Argument(name, description);
    command.addArgument(choices === undefined ? argument : argument.choices([...choices]));
  }
  for (const option of optionsOf(definition)) command.addOption(optionOf(option));
  command.addHelpText('after', examplesText(definition.examples ?? []));
  if (definition.exitCodes !== undefined) command.addHelpText('after', `\nExit codes: ${definition.exitCodes}`);
  behave(command);
  for (const inner of definition.commands ?? [])
    command.addCommand(commandOf(inner, fullName), { isDefault: inner.isDefault === true });
  const { load } = definition;
  if (load !== undefined) {
    command.action(async (...given: unknown[]) => {
      const options = given.at(-2) as { json?: boolean; settings?: string };
      await execute(definition, load, given.slice(0, -2) as (string | undefined)[], options);
    });
  }
  command.showHelpAfterError(usageOf(command, path));
  return command;
}

/** Usage errors are thrown, so that this program alone decides about exit codes. */
function behave(command: Command): void {
  command.exitOverride().helpCommand(false).showSuggestionAfterError(true);
}

function usageOf(command: Command, path: string): string {
  return `Usage: ${path} ${command.name()} ${command.usage()}`;
}

function optionOf({ flags, description, choices, fallback, number, many, needed }: OptionDefinition): Option {
  const option = new Option(flags, description).makeOptionMandatory(needed === true);
  if (choices !== undefined) option.choices([...choices]);
  if (number) option.argParser(readNumber);
  if (many) option.argParser(collecting(choices));
  return fallback === undefined ? option : option.default(number ? Number(fallback) : fallback);
}

/** Reads an option that may be given many times; commander checks the choices of one that is given once. */
function collecting(choices: readonly string[] | undefined) {
  return (value: string, before: readonly string[] | undefined): string[] => {
    if (choices !== undefined && !choices.includes(value))
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    return [...(before ?? []), value];
  };
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is no number.');
  return value;
}

function examplesText(examples: CommandDefinition['examples']): string {
  if (examples === undefined || examples.length === 0) return '';
  const width = Math.max(...examples.map(({ command }) => command.length));
  return `\nExamples:\n${examples.map(({ command, does }) => `  ${command.padEnd(width)}  ${does}`).join('\n')}`;
}

async function execute(
  { failure }: CommandDefinition,
  load: () => Promise<{ readonly run: Run<never> }>,
  args: readonly (string | undefined)[],
  options: { readonly json?: boolean; readonly settings?: string },
): Promise<void> {
  const json = options.json === true;
  try {
    // Each command that takes the option reads the file: those that call the API find address and credentials in it.
    if (options.settings !== undefined) readSettingsFile(options.settings);
    const { run } = await load();
    const tell = (line: string) => void (json || process.stdout.write(`${inLines(line)}\n`));
    const outcome = await run({ args, options: options as never, commands, tell });
    if (!json) process.stdout.write(outcome.text);
    else if (outcome.json !== undefined) process.stdout.write(`${JSON.stringify(outcome.json)}\n`);
    process.exitCode = outcome.exitCode ?? EXIT.done;
  } catch (error) {
    const { message } = error as Error;
    const failed = error instanceof CommandFailed ? error : null;
    const said = failed !== null || failure === undefined ? message : `${failure}: ${message}`;
    const code = failed?.code ?? 'FAILED';
    process.stderr.write(json ? `${JSON.stringify({ error: { code, message: said } })}\n` : `${inLines(said)}\n`);
    process.exitCode = failed?.exitCode ?? EXIT.misuse;
  }
}

/**
 * Adds the variables of a file to the environment, without those that it has. @throws CommandFailed when it cannot be
 * read
 */
function readSettingsFile(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new CommandFailed(`The file of --settings cannot be read: ${(error as Error).message}`);
  }
}
