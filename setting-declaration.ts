/** What is said of a setting that can be made from outside, for programs and for people. */
export interface DeclaredSetting {
  /** Its environment variable. */
  readonly name: string;
  /** What holds when it is not set: a value, or words where the value depends on other settings. */
  readonly fallback: Value | Words;
  /** The whole numbers that it may be, both bounds included. */
  readonly range?: readonly [lowest: number, highest: number];
  /** Why it may be no more, for whoever sets more. */
  readonly because?: string;
  /** The words that it may be. */
  readonly choices?: readonly string[];
  /** A secret: the environment may name a file that holds it instead, as `<name>_FILE`. */
  readonly secret?: true;
  /** What it does, with its unit, for whoever sets it: plain Markdown without line ends. */
  readonly meaning: string;
}

export interface SettingsGroup {
  readonly title: string;
  readonly settings: readonly DeclaredSetting[];
}

type Value = { readonly value: string | number | boolean };
type Words = { readonly words: string };

export const UNSET = 'unset';
export const NONE = 'none';
const FLAG = ['true', 'false'] as const;

const said = (given: string): Words => ({ words: given });

/** A whole number, 0 where that means something of its own. */
export function whole(name: string, value: number, lowest: number, highest: number, meaning: string): DeclaredSetting {
  return { name, fallback: { value }, range: [lowest, highest], meaning };
}

/** The whole number, with the reason for its upper bound. */
export function bounded(setting: DeclaredSetting, because: string): DeclaredSetting {
  return { ...setting, because };
}

/** A whole number that holds only when it is set. */
export function optionalWhole(name: string, lowest: number, highest: number, meaning: string): DeclaredSetting {
  return { name, fallback: said(UNSET), range: [lowest, highest], meaning };
}

/** Text whose value, when it is not set, is no constant. */
export function derived(name: string, words: string, meaning: string): DeclaredSetting {
  return { name, fallback: said(words), meaning };
}

export function text(name: string, value: string, meaning: string): DeclaredSetting {
  return { name, fallback: { value }, meaning };
}

export function choice(name: string, value: string, choices: readonly string[], meaning: string): DeclaredSetting {
  return { name, fallback: { value }, choices, meaning };
}

/** `true` or `false`; what it is when it is not set in words where that depends on other settings. */
export function flag(name: string, fallback: boolean | string, meaning: string): DeclaredSetting {
  const otherwise = typeof fallback === 'string' ? said(fallback) : { value: fallback };
  return { name, fallback: otherwise, choices: FLAG, meaning };
}

export function secret(name: string, words: string, meaning: string): DeclaredSetting {
  return { name, fallback: said(words), secret: true, meaning };
}
