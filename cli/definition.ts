/** How the outcome of a command ends the process. */
export const EXIT = {
  done: 0,
  /** What was asked for is not so: differences, a check that fails, a call that the exchange refused. */
  refused: 1,
  /** The command was called wrongly, or it did nothing. */
  misuse: 2,
  /** The exchange could not be reached, or answered that it has failed. */
  unavailable: 3,
} as const;

export interface OptionDefinition {
  /** As commander reads them: `-m, --month <month>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly fallback?: string;
  /** The command is not run without it. */
  readonly needed?: true;
  /** The text is read as a finite number. */
  readonly number?: true;
  /** It may be given many times; its value is then a list. */
  readonly many?: true;
}

interface ArgumentDefinition {
  /** `<folder>` is needed, `[folder]` may be left out. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

/** What a command was called with. */
export interface Invocation<Options extends object = Record<string, unknown>> {
  readonly args: readonly (string | undefined)[];
  readonly options: Options & { readonly json?: boolean };
  /** All commands, as the program has them. */
  readonly commands: readonly CommandDefinition[];
  /** Writes a line for people while the command goes on: to standard output, and with `--json` nowhere. */
  readonly tell: (line: string) => void;
}

/** What a command has to say when it has ended. */
export interface Outcome {
  /** What `--json` prints, in one line; undefined prints nothing. */
  readonly json: unknown;
  /** What people read; it ends its own lines. */
  readonly text: string;
  /** {@link EXIT}.done when absent. */
  readonly exitCode?: number;
}

export type Run<Options extends object = Record<string, unknown>> = (
  invocation: Invocation<Options>,
) => Promise<Outcome>;

/** A command, or a group of commands, as help, completion, the reference and the parser need to know it. */
export interface CommandDefinition {
  readonly name: string;
  /** One line, as lists of commands show it. */
  readonly summary: string;
  /** What it does and guarantees; plain text. */
  readonly description?: string;
  readonly arguments?: readonly ArgumentDefinition[];
  readonly options?: readonly OptionDefinition[];
  readonly examples?: readonly Example[];
  /** What its exit codes mean where that is more than {@link EXIT} says. */
  readonly exitCodes?: string;
  /** What stands before the reason when it does not come to its end: `There is no backup`. */
  readonly failure?: string;
  /** Whether it reads the settings of an exchange, and so takes `--settings`. */
  readonly readsSettings?: boolean;
  /** Whether it calls the management API, and so takes `--url`, the credentials, and `--settings` with either. */
  readonly callsApi?: boolean;
  /** Loads what runs it: only the command that is called is loaded. */
  readonly load?: () => Promise<{ readonly run: Run<never> }>;
  readonly commands?: readonly CommandDefinition[];
  /** In a group: it is run when the group is named alone. */
  readonly isDefault?: true;
  /** The heading of lists of commands that it stands below. */
  readonly heading?: string;
}

/** A command could not do what it was asked for. The message is a whole sentence, to which `failure` is not added. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  /** A word for programs. */
  readonly code: string;

  constructor(message: string, exitCode: number = EXIT.misuse, code = 'FAILED') {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
