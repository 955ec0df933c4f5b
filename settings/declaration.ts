/**
 * A setting of the environment: its documentation for people, and how its text is read. `T` is the type of its value;
 * it includes null for a setting without a default, or whose default depends on other settings (see `resolve.ts`).
 */
export interface Setting<T = unknown> {
  /** The name of the environment variable. */
  readonly name: string;
  /** The default: a value, or words when it depends on other settings. */
  readonly fallback: Value | Words;
  /** The allowed whole numbers, both bounds included. */
  readonly range?: Range;
  /** The allowed words. */
  readonly choices?: readonly string[];
  /** True for a secret, which may also come from a file that `<name>_FILE` names. */
  readonly secret?: true;
  /** What the setting does, with its unit, for operators: plain Markdown without line ends. */
  readonly meaning: string;
  /** Reads the value; `given` is null when the variable is not set. Each error is reported to `wrong` as a sentence. */
  readonly read: (given: string | null, wrong: (problem: string) => void) => T;
}

type Value = { readonly value: string | number | boolean };
type Words = { readonly words: string };

/**
 * Reads the text of a variable that is set. It reports errors: `must` as `<name> must <what>`, `wrong` as `<name>:
 * <what>`.
 */
export type Form<T> = (given: string, must: (what: string) => void, wrong: (what: string) => void) => T;

export const UNSET = 'unset';
export const NONE = 'none';
const FLAG = ['true', 'false'] as const;

const asItIs: Form<string> = (given) => given;

function formed<T>(name: string, form: Form<T>, given: string, wrong: (problem: string) => void): T {
  return form(
    given,
    (what) => wrong(`${name} must ${what}`),
    (what) => wrong(`${name}: ${what}`),
  );
}

/** A text with a constant default. */
export function text(name: string, value: string, meaning: string): Setting<string>;
export function text<T>(name: string, value: string, meaning: string, form: Form<T>): Setting<T>;
export function text(name: string, value: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  return { name, fallback: { value }, meaning, read: (given, wrong) => formed(name, form, given ?? value, wrong) };
}

/** A text without a constant default: null when it is not set. */
export function derived(name: string, words: string, meaning: string): Setting<string | null>;
export function derived<T>(name: string, words: string, meaning: string, form: Form<T>): Setting<T | null>;
export function derived(name: string, words: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  const read: Setting['read'] = (given, wrong) => (given === null ? null : formed(name, form, given, wrong));
  return { name, fallback: { words }, meaning, read };
}

/** A list, which is empty when it is not set. */
export function list<T>(name: string, words: string, meaning: string, form: Form<readonly T[]>): Setting<readonly T[]> {
  return map(derived(name, words, meaning, form), (all) => all ?? []);
}

interface WholeOptions {
  /** The reason for the upper bound, for an operator who exceeds it. */
  readonly because?: string;
  /** The factor from the unit of the variable to the unit of the field; 1 when absent. */
  readonly unit?: number;
}

type Range = readonly [lowest: number, highest: number];

/** A whole number within bounds. Where 0 is allowed, it has a meaning of its own, such as no limit. */
export function whole(
  name: string,
  value: number,
  range: Range,
  meaning: string,
  { because, unit = 1 }: WholeOptions = {},
): Setting<number> {
  const form = wholeFrom(range, because);
  const read: Setting<number>['read'] = (given, wrong) =>
    unit * (given === null ? value : formed(name, form, given, wrong));
  return { name, fallback: { value }, range, meaning, read };
}

/** A whole number without a default: null when it is not set. */
export function optionalWhole(name: string, range: Range, meaning: string): Setting<number | null> {
  return { ...derived(name, UNSET, meaning, wholeFrom(range)), range };
}

function wholeFrom([lowest, highest]: Range, because?: string): Form<number> {
  return (given, must) => {
    const value = Number(given);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    const why = because === undefined || !(value > highest) ? '' : `: ${because}`;
    must(`be a whole number from ${lowest} to ${highest}, not "${given}"${why}`);
    return lowest;
  };
}

export function choice<T extends string>(name: string, value: T, choices: readonly T[], meaning: string): Setting<T> {
  return { ...text(name, value, meaning, oneOf(choices)), choices };
}

/** `true` or `false`. */
export function flag(name: string, value: boolean, meaning: string): Setting<boolean> {
  const read: Setting<boolean>['read'] = (given, wrong) =>
    given === null ? value : formed(name, oneOf(FLAG), given, wrong) === 'true';
  return { name, fallback: { value }, choices: FLAG, meaning, read };
}

/** `true` or `false`; the default depends on other settings. */
export function derivedFlag(name: string, words: string, meaning: string): Setting<boolean | null> {
  const setting = map(derived(name, words, meaning, oneOf(FLAG)), (word) => (word === null ? null : word === 'true'));
  return { ...setting, choices: FLAG };
}

function oneOf<T extends string>(choices: readonly T[]): Form<T> {
  return (given, must) => {
    if (choices.includes(given as T)) return given as T;
    must(`be one of ${choices.join(', ')}, not "${given}"`);
    return choices[0]!;
  };
}

/** `derived` for a secret. */
export function secret(name: string, words: string, meaning: string): Setting<string | null>;
export function secret<T>(name: string, words: string, meaning: string, form: Form<T>): Setting<T | null>;
export function secret(name: string, words: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  return { ...derived(name, words, meaning, form), secret: true };
}

/** `list` for secrets. */
export function secretList<T>(
  name: string,
  words: string,
  meaning: string,
  form: Form<readonly T[]>,
): Setting<readonly T[]> {
  return { ...list(name, words, meaning, form), secret: true };
}

/** Changes the value of a setting after it is read. */
export function map<T, R>(setting: Setting<T>, change: (value: T) => R): Setting<R> {
  return { ...setting, read: (given, wrong) => change(setting.read(given, wrong)) };
}
