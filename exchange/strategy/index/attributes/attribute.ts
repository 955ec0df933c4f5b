import { countryOf } from '../../countries.ts';
import { numberOf } from '../../numbers.ts';
import type { FieldKind } from '../../openrtb-fields.ts';
import { type FieldReader, fieldReader } from '../../read-field.ts';
import { plainVersion, versionOf } from '../../versions.ts';
import type { EvaluationContext } from '../evaluation-context.ts';

/**
 * What a value of the request can equal. `any` is met by its text and by the number that it spells, `number` and `text`
 * by that alone.
 */
export interface AttributeKey {
  readonly kind: 'any' | 'number' | 'text';
  /** Trimmed and in lower case; of a country, its three letters in upper case; of a version, without zeros at its end. */
  readonly text: string;
}

const NONE: readonly number[] = [];

/**
 * A path of the bid request. Reads what a request has there once, and knows which of the keys that campaigns ask for
 * its values equal: each key has a small number, which is free again when nobody asks for the key any more.
 */
export class Attribute {
  readonly path: string;
  /** Those that look at it, by their signatures: the table's. */
  readonly predicates = new Map<string | number, number>();
  /** Whether it holds versions, which compare as such: 7.0 equals 7 and comes before 7.10. */
  readonly isVersion: boolean;
  readonly #isCountry: boolean;
  readonly #read: FieldReader;

  readonly #anyByText = new Map<string, number>();
  readonly #textByText = new Map<string, number>();
  /** By what their text spells: `3` and `3.0` are two keys that the number 3 meets. */
  readonly #byNumber = new Map<number, number[]>();
  readonly #keys: (AttributeKey | null)[] = [];
  readonly #references: number[] = [];
  readonly #free: number[] = [];
  /** By key: the last epoch in which the request had it. */
  readonly #metIn: number[] = [];

  /** By key: the predicates that fail where it is met. */
  readonly #excluding = new Map<number, number[]>();

  /** The last epoch in which what its keys exclude was noted: the table's. */
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

  constructor(path: string, kind: FieldKind | null) {
    this.path = path;
    this.isVersion = kind === 'version';
    this.#isCountry = kind === 'country';
    this.#read = fieldReader(path);
  }

  /** How many different keys are asked for. */
  get keyCount(): number {
    return this.#keys.length - this.#free.length;
  }

  /** How a condition's value is looked for here. */
  keyOf(value: string): AttributeKey {
    const country = this.#isCountry ? countryOf(value) : null;
    if (this.isVersion) return { kind: 'any', text: plainVersion(value.trim().toLowerCase()) };
    return { kind: 'any', text: country ?? value.trim().toLowerCase() };
  }

  /** The number of a key; every call is to be answered by one of `release`. */
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

  /** Notes that a predicate fails where one of the keys is met. */
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

  /** The predicates that fail where a key is met. */
  excludedBy(key: number): readonly number[] {
    return this.#excluding.get(key) ?? NONE;
  }

  #find(key: AttributeKey): number | undefined {
    if (key.kind === 'any') return this.#anyByText.get(key.text);
    if (key.kind === 'text') return this.#textByText.get(key.text);
    return this.#byNumber.get(Number(key.text))?.find((id) => this.#keys[id]!.kind === 'number');
  }

  /** What the request has at the path; empty for nothing. */
  values(occasion: EvaluationContext): readonly unknown[] {
    if (this.#epoch !== occasion.epoch) {
      this.#values = this.#read(occasion.view);
      this.#epoch = occasion.epoch;
    }
    return this.#values;
  }

  /** The keys that its values equal, each once. */
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

  /** Whether its values equal a key; only after `keys` on the same occasion. */
  meets(id: number, { epoch }: EvaluationContext): boolean {
    return this.#metIn[id] === epoch;
  }

  /** Those of its values that are numbers or spell one. */
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

  /** Those of its values that spell a version. */
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

  /** In lower case: text is compared without regard to case. Objects have none. */
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

  /** Epochs begin anew. */
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
