/**
 * At most this many characters of an id are searched for, and what follows them in a longer id is removed too. The time
 * therefore depends on the text alone.
 */
const MAX_SEARCHED_LENGTH = 64;
/** The characters that end a longer id, whose rest is removed with it: `[\s"&?#,]`. */
const ENDS_ID = new Set('"&?#, \t\n\r\v\f'.split('').map((character) => character.charCodeAt(0)));

/**
 * At most this many ids in a text up to this length are searched one by one, which covers nearly every request:
 * building the automaton would take longer.
 */
const MAX_LINEAR_SEARCH_IDS = 16;
const MAX_LINEAR_SEARCH_TEXT = 65_536;

const ASCII = 128;
/**
 * Non-ASCII characters share this many classes. An id with such characters may therefore match a text that is nearly
 * the same.
 */
const OTHER_CLASSES = 61;

/** Searches a text for many ids at once, regardless of case, in one pass. */
export class IdSearch {
  /** The ids that are searched for, each cut to `MAX_SEARCHED_LENGTH`. */
  readonly #sought: readonly string[];
  /** The same ids in lower case. */
  readonly #lower: readonly string[];
  readonly #shortest: number;
  #oneByOneLeft: number;
  #automaton: Automaton | null = null;

  constructor(ids: readonly string[]) {
    this.#sought = [...new Set(ids.map((id) => id.slice(0, MAX_SEARCHED_LENGTH)))];
    this.#lower = this.#sought.map((id) => id.toLowerCase());
    this.#shortest = Math.min(...this.#sought.map(({ length }) => length));
    this.#oneByOneLeft = this.#sought.length <= MAX_LINEAR_SEARCH_IDS ? MAX_LINEAR_SEARCH_TEXT : 0;
  }

  /** Whether the text holds an id. */
  finds(text: string): boolean {
    if (text.length < this.#shortest) return false;
    if (text.length <= this.#oneByOneLeft) {
      this.#oneByOneLeft -= text.length;
      const lower = text.toLowerCase();
      return this.#lower.some((id) => lower.includes(id));
    }
    this.#automaton ??= new Automaton(this.#sought);
    return this.#automaton.rangesIn(text, true).length > 0;
  }

  /** The text without the ids; the same string where it holds none. */
  without(text: string): string {
    if (text.length < this.#shortest) return text;
    this.#automaton ??= new Automaton(this.#sought);
    const ranges = this.#automaton.rangesIn(text, false);
    if (ranges.length === 0) return text;
    let left = '';
    let from = 0;
    for (const [begin, end] of ranges) {
      left += text.slice(from, begin);
      from = end;
    }
    return left + text.slice(from);
  }
}

/** The automaton of Aho and Corasick over classes of characters: one table lookup for each character of a text. */
class Automaton {
  /**
   * By character: its class. Capitals have the class of their small letters; 0 is the class of characters that are in
   * no id.
   */
  readonly #classOf = new Uint8Array(ASCII);
  readonly #knowsOthers: boolean;
  readonly #classes: number;
  /** By state and class: the next state. */
  readonly #next: Int32Array;
  /** By state: the length of the longest id that ends there; 0 for none. */
  readonly #found: Uint8Array;

  constructor(sought: readonly string[]) {
    let classes = 1;
    let others = false;
    let characters = 0;
    for (const id of sought) {
      characters += id.length;
      for (let index = 0; index < id.length; index++) {
        const code = small(id.charCodeAt(index));
        if (code >= ASCII) others = true;
        else if (this.#classOf[code] === 0) this.#classOf[code] = classes++;
      }
    }
    for (let capital = 65; capital <= 90; capital++) this.#classOf[capital] = this.#classOf[capital + 32]!;
    this.#knowsOthers = others;
    this.#classes = classes + (others ? OTHER_CLASSES : 0);
    this.#next = new Int32Array((characters + 1) * this.#classes);
    this.#found = new Uint8Array(characters + 1);
    this.#link(this.#grow(sought));
  }

  /** The ranges of the ids in a text, in order and without overlap; only the first where `first` is set. */
  rangesIn(text: string, first: boolean): [begin: number, end: number][] {
    const ranges: [number, number][] = [];
    const next = this.#next;
    const classes = this.#classes;
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      state = next[state * classes + this.#class(text.charCodeAt(index))]!;
      const length = this.#found[state]!;
      if (length === 0) continue;
      let begin = index + 1 - length;
      let end = index + 1;
      if (length === MAX_SEARCHED_LENGTH) {
        while (end < text.length && !ENDS_ID.has(text.charCodeAt(end))) end += 1;
        index = end - 1;
        state = 0;
      }
      while (ranges.length > 0 && ranges.at(-1)![1] >= begin) begin = Math.min(begin, ranges.pop()![0]);
      ranges.push([begin, end]);
      if (first) break;
    }
    return ranges;
  }

  #class(code: number): number {
    if (code < ASCII) return this.#classOf[code]!;
    if (!this.#knowsOthers) return 0;
    const lower = small(code);
    return lower < ASCII ? this.#classOf[lower]! : this.#classes - OTHER_CLASSES + (lower % OTHER_CLASSES);
  }

  /** Builds the tree of all prefixes and returns the number of its states. */
  #grow(sought: readonly string[]): number {
    let states = 1;
    for (const id of sought) {
      let state = 0;
      for (let index = 0; index < id.length; index++) {
        const edge = state * this.#classes + this.#class(id.charCodeAt(index));
        if (this.#next[edge] === 0) this.#next[edge] = states++;
        state = this.#next[edge]!;
      }
      this.#found[state] = id.length;
    }
    return states;
  }

  /**
   * Completes the transitions, breadth first: where the tree has no next state, the longest suffix of what was read
   * that begins an id is continued.
   */
  #link(states: number): void {
    const classes = this.#classes;
    const fallback = new Int32Array(states);
    const queue = new Int32Array(states);
    let queued = 1;
    for (let at = 0; at < queued; at++) {
      const state = queue[at]!;
      const back = fallback[state]!;
      for (let edge = 0; edge < classes; edge++) {
        const child = this.#next[state * classes + edge]!;
        const otherwise = state === 0 ? 0 : this.#next[back * classes + edge]!;
        if (child === 0) this.#next[state * classes + edge] = otherwise;
        else {
          fallback[child] = otherwise;
          if (this.#found[child] === 0) this.#found[child] = this.#found[otherwise]!;
          queue[queued++] = child;
        }
      }
    }
  }
}

/** Converts single characters to lower case, so that positions in a text stay the same. */
function small(code: number): number {
  if (code < ASCII) return code >= 65 && code <= 90 ? code + 32 : code;
  return String.fromCharCode(code).toLowerCase().charCodeAt(0);
}
