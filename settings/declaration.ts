/**
 * A setting that can be made from outside: what is said of it for people, and how its text is read. `T`: what it comes to; null in it
 * where nothing holds without it, or what holds depends on other settings (see `resolve.ts`).
 */
export interface Setting<T = unknown> {
  /** Its environment variable. */
  readonly name: string;
  /** What holds when it is not set: a value, or words where the value depends on other settings. */
  readonly fallback: Value | Words;
  /** The whole numbers that it may be, both bounds included. */
  readonly range?: Range;
  /** The words that it may be. */
  readonly choices?: readonly string[];
  /** A secret: the environment may name a file that holds it instead, as `<name>_FILE`. */
  readonly secret?: true;
  /** What it does, with its unit, for people who set it: plain Markdown without line ends. */
  readonly meaning: string;
  /** What it comes to; `given` is null when it is not set. What is wrong becomes a sentence. */
  readonly read: (given: string | null, wrong: (problem: string) => void) => T;
}

type Value = { readonly value: string | number | boolean };
type Words = { readonly words: string };

/** Reads a text that is set. What is wrong: `must` says `<name> must <what>`, `wrong` says `<name>: <what>`. */
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

/** Text with a constant default. */
export function text(name: string, value: string, meaning: string): Setting<string>;
export function text<T>(name: string, value: string, meaning: string, form: Form<T>): Setting<T>;
export function text(name: string, value: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  return { name, fallback: { value }, meaning, read: (given, wrong) => formed(name, form, given ?? value, wrong) };
}

/** Text whose value, when it is not set, is no constant: null. */
export function derived(name: string, words: string, meaning: string): Setting<string | null>;
export function derived<T>(name: string, words: string, meaning: string, form: Form<T>): Setting<T | null>;
export function derived(name: string, words: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  const read: Setting['read'] = (given, wrong) => (given === null ? null : formed(name, form, given, wrong));
  return { name, fallback: { words }, meaning, read };
}

/** A list, empty when it is not set. */
export function list<T>(name: string, words: string, meaning: string, form: Form<readonly T[]>): Setting<readonly T[]> {
  return map(derived(name, words, meaning, form), (all) => all ?? []);
}

interface WholeOptions {
  /** Why it may be no more, for people who set more. */
  readonly because?: string;
  /** What one of it comes to in the unit of the field; 1 unless set. */
  readonly unit?: number;
}

type Range = readonly [lowest: number, highest: number];

/** A whole number, 0 where that means something of its own. */
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

/** A whole number that holds only when it is set. */
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

/** `true` or `false`; what it is when it is not set depends on other settings. */
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

/** The same as `derived` for what is a secret. */
export function secret(name: string, words: string, meaning: string): Setting<string | null>;
export function secret<T>(name: string, words: string, meaning: string, form: Form<T>): Setting<T | null>;
export function secret(name: string, words: string, meaning: string, form: Form<unknown> = asItIs): Setting {
  return { ...derived(name, words, meaning, form), secret: true };
}

/** The same as `list` for what are secrets. */
export function secretList<T>(
  name: string,
  words: string,
  meaning: string,
  form: Form<readonly T[]>,
): Setting<readonly T[]> {
  return { ...list(name, words, meaning, form), secret: true };
}

/** The same setting, in another form than it is set in. */
export function map<T, R>(setting: Setting<T>, change: (value: T) => R): Setting<R> {
  return { ...setting, read: (given, wrong) => change(setting.read(given, wrong)) };
}
