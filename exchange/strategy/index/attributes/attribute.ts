import { countryOf } from '../../countries.ts';
import { numberOf } from '../../numbers.ts';
import type { FieldKind } from '../../openrtb-fields.ts';
import { type FieldReader, fieldReader } from '../../read-field.ts';
import { plainVersion, versionOf } from '../../versions.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/**
 * A value that a condition compares the request's values with. A value of the request equals an `any` key by its text
 * or by the number that it spells, and a `number` or `text` key by that alone.
 */
export interface AttributeKey {
  readonly kind: 'any' | 'number' | 'text';
  /**
   * The text, trimmed and in lower case. A country is its three letters in upper case; a version has no zeros at its
   * end.
   */
  readonly text: string;
}

const NONE: readonly number[] = [];

/**
 * One path of the bid request. It reads the request's values once per evaluation, and knows which of the keys of all
 * conditions they equal. Each key has a small number, which becomes free when no predicate uses the key any more.
 */
export class Attribute {
  readonly path: string;
  /** The predicates on this path, by their signatures; maintained by the predicate table. */
  readonly predicates = new Map<string | number, number>();
  /** Small and unique among the attributes in use. */
  readonly number: number;
  /** Whether the values are versions, which compare number by number: 7.0 equals 7 and comes before 7.10. */
  readonly isVersion: boolean;
  readonly #isCountry: boolean;
  readonly #read: FieldReader;

  readonly #anyByText = new Map<string, number>();
  readonly #textByText = new Map<string, number>();
  /** Keys by the number that their text spells: `3` and `3.0` are two keys that both equal the number 3. */
  readonly #byNumber = new Map<number, number[]>();
  readonly #keys: (AttributeKey | null)[] = [];
  readonly #references: number[] = [];
  readonly #free: number[] = [];
  /** By key: the last epoch in which a value of the request equalled it. */
  readonly #metIn: number[] = [];

  /** By key: the predicates that fail for a request with a value that equals it. */
  readonly #excluding = new Map<number, number[]>();

  /** The last epoch in which the predicates excluded by its keys were marked; maintained by the predicate table. */
  excludedIn = 0;
  #epoch = 0;
  #values: readonly unknown[] = [];
  #keysEpoch = 0;
  #met: number[] = [];
  #numbersEpoch = 0;
  #numbers: number[] = [];
  #versionsEpoch = 0;
  #versions: (readonly number[])[] = [];
  #textsEpoch = 0;
  #texts: string[] = [];

  constructor(path: string, kind: FieldKind | null, number: number) {
    this.path = path;
    this.number = number;
    this.isVersion = kind === 'version';
    this.#isCountry = kind === 'country';
    this.#read = fieldReader(path);
  }

  /** The number of different keys in use. */
  get keyCount(): number {
    return this.#keys.length - this.#free.length;
  }

  /** The key that a condition's value is compared by on this path. */
  keyOf(value: string): AttributeKey {
    const country = this.#isCountry ? countryOf(value) : null;
    if (this.isVersion) return { kind: 'any', text: plainVersion(value.trim().toLowerCase()) };
    return { kind: 'any', text: country ?? value.trim().toLowerCase() };
  }

  /** Holds the key of a condition's value, as `hold` does. */
  holdValue(value: string): number {
    if (this.isVersion || this.#isCountry) return this.hold(this.keyOf(value));
    const text = value.trim().toLowerCase();
    const known = this.#anyByText.get(text);
    if (known === undefined) return this.hold({ kind: 'any', text });
    this.#references[known]!++;
    return known;
  }

  /** Returns the number of a key and counts one more use. Each call must be matched by one call of `release`. */
  hold(key: AttributeKey): number {
    const known = this.#find(key);
    if (known !== undefined) {
      this.#references[known]!++;
      return known;
    }
    const id = this.#free.pop() ?? this.#keys.length;
    this.#keys[id] = key;
    this.#references[id] = 1;
    this.#metIn[id] = 0;
    if (key.kind === 'any') this.#anyByText.set(key.text, id);
    if (key.kind === 'text') this.#textByText.set(key.text, id);
    const number = spelledBy(key);
    if (number === null) return id;
    const others = this.#byNumber.get(number);
    if (others === undefined) this.#byNumber.set(number, [id]);
    else others.push(id);
    return id;
  }

  release(id: number): void {
    this.#references[id]!--;
    if (this.#references[id] !== 0) return;
    const key = this.#keys[id]!;
    this.#keys[id] = null;
    this.#free.push(id);
    if (key.kind === 'any') this.#anyByText.delete(key.text);
    if (key.kind === 'text') this.#textByText.delete(key.text);
    const number = spelledBy(key);
    if (number === null) return;
    const others = this.#byNumber.get(number)!;
    if (others.length === 1) this.#byNumber.delete(number);
    else others.splice(others.indexOf(id), 1);
  }

  /** Records that a predicate fails where one of the keys is met. */
  exclude(keys: readonly number[], predicate: number): void {
    for (const key of keys) {
      const others = this.#excluding.get(key);
      if (others === undefined) this.#excluding.set(key, [predicate]);
      else others.push(predicate);
    }
  }

  excludeNoMore(keys: readonly number[], predicate: number): void {
    for (const key of keys) {
      const others = this.#excluding.get(key)!;
      const last = others.pop()!;
      if (last !== predicate) others[others.indexOf(predicate)] = last;
      if (others.length === 0) this.#excluding.delete(key);
    }
  }

  /** The predicates that fail where this key is met. */
  excludedBy(key: number): readonly number[] {
    return this.#excluding.get(key) ?? NONE;
  }

  #find(key: AttributeKey): number | undefined {
    if (key.kind === 'any') return this.#anyByText.get(key.text);
    if (key.kind === 'text') return this.#textByText.get(key.text);
    return this.#byNumber.get(Number(key.text))?.find((id) => this.#keys[id]!.kind === 'number');
  }

  /** The request's values at the path; empty where there are none. */
  values(occasion: EvaluationContext): readonly unknown[] {
    if (this.#epoch !== occasion.epoch) {
      this.#values = this.#read(occasion.view);
      this.#epoch = occasion.epoch;
    }
    return this.#values;
  }

  /** The keys that the request's values equal, each once. */
  keys(occasion: EvaluationContext): readonly number[] {
    if (this.#keysEpoch === occasion.epoch) return this.#met;
    this.#keysEpoch = occasion.epoch;
    this.#met = [];
    for (const value of this.values(occasion)) {
      if (typeof value === 'number' && !this.isVersion) {
        for (const id of this.#byNumber.get(value) ?? []) this.#meet(id, occasion.epoch);
        continue;
      }
      const text = textOf(value);
      if (text === null) continue;
      const id = this.#anyByText.get(this.#keyTextOf(text));
      if (id !== undefined) this.#meet(id, occasion.epoch);
      const plain = this.#textByText.size === 0 ? undefined : this.#textByText.get(text);
      if (plain !== undefined) this.#meet(plain, occasion.epoch);
    }
    return this.#met;
  }

  #keyTextOf(text: string): string {
    if (this.#isCountry) return countryOf(text) ?? text;
    return this.isVersion ? plainVersion(text) : text;
  }

  #meet(id: number, epoch: number): void {
    if (this.#metIn[id] === epoch) return;
    this.#metIn[id] = epoch;
    this.#met.push(id);
  }

  /** Whether a value of the request equals this key. Valid only after `keys` was called in the same evaluation. */
  meets(id: number, { epoch }: EvaluationContext): boolean {
    return this.#metIn[id] === epoch;
  }

  /** The values that are numbers or spell one. */
  numbers(occasion: EvaluationContext): readonly number[] {
    if (this.#numbersEpoch === occasion.epoch) return this.#numbers;
    this.#numbersEpoch = occasion.epoch;
    this.#numbers = [];
    for (const value of this.values(occasion)) {
      const number = typeof value === 'number' ? value : typeof value === 'string' ? numberOf(value) : null;
      if (number !== null) this.#numbers.push(number);
    }
    return this.#numbers;
  }

  /** The values that spell a version. */
  versions(occasion: EvaluationContext): readonly (readonly number[])[] {
    if (this.#versionsEpoch === occasion.epoch) return this.#versions;
    this.#versionsEpoch = occasion.epoch;
    this.#versions = [];
    for (const value of this.values(occasion)) {
      const version = typeof value === 'object' ? null : versionOf(String(value));
      if (version !== null) this.#versions.push(version);
    }
    return this.#versions;
  }

  /** The values in lower case, because text is compared without regard to case. Objects have no text. */
  texts(occasion: EvaluationContext): readonly string[] {
    if (this.#textsEpoch === occasion.epoch) return this.#texts;
    this.#textsEpoch = occasion.epoch;
    this.#texts = [];
    for (const value of this.values(occasion)) {
      const text = textOf(value);
      if (text !== null) this.#texts.push(text);
    }
    return this.#texts;
  }

  /** Resets all epochs, which start again at 1. */
  forget(): void {
    this.excludedIn = 0;
    this.#epoch = 0;
    this.#keysEpoch = 0;
    this.#numbersEpoch = 0;
    this.#versionsEpoch = 0;
    this.#textsEpoch = 0;
    this.#metIn.fill(0);
  }
}

function spelledBy({ kind, text }: AttributeKey): number | null {
  return kind === 'text' ? null : numberOf(text);
}

function textOf(value: unknown): string | null {
  return typeof value === 'object' ? null : String(value).toLowerCase();
}
