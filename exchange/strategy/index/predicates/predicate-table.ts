import type { TargetingContext } from '../../read-field.ts';
import type { Attribute } from '../attributes/attribute.ts';
import { Attributes } from '../attributes/attributes.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { PredicateKeys } from '../tree/page.ts';
import { type KeySet, keyShare, type Predicate } from './predicate.ts';
import { PredicateMemo } from './predicate-memo.ts';
import { ZoneClock } from './time-predicate.ts';

/**
 * Identifies a predicate within its attribute. Numbers are used where possible, since they are looked up faster than
 * text is made.
 */
export type Signature = string | number;

const KEYED_LENGTH = 4;
/** Stands for the key of an attribute of which the request meets none. */
export const NO_KEY = -1;
const SEVERAL_KEYS = -2;

/** The last epoch: twice its value plus 1 still fits into a signed 32-bit integer. */
const LAST_EPOCH = 2 ** 30 - 1;

/**
 * All predicates in use, each once, under a small number; each is judged at most once in an evaluation. A number
 * becomes free when no campaign uses its predicate any more.
 */
export class PredicateTable implements PredicateKeys {
  readonly memo = new PredicateMemo();
  readonly attributes = new Attributes(this.memo);
  readonly #predicates: (Predicate | null)[] = [];
  /** By number: the attribute of a predicate that fails only for some of its keys; null for other predicates. */
  readonly #exclusions: (Attribute | null)[] = [];
  /** By number: the key set of a predicate that has one. */
  readonly #keySets: (KeySet | null)[] = [];
  readonly #signatures: Signature[] = [];
  readonly #references: number[] = [];
  readonly #free: number[] = [];
  /** Predicates without an attribute, by signature. An attribute holds its own predicates. */
  readonly #bySignature = new Map<Signature, number>();
  /** Clocks by time zone in lower case; there are fewer than 1,000 zones. */
  readonly #clocks = new Map<string, ZoneClock>();
  readonly #lastEpoch: number;

  /** By number: twice the epoch in which the predicate was last judged, plus 1 where it held. */
  #judgements = new Int32Array(256);
  /**
   * By number, {@link KEYED_LENGTH} each: the number of the attribute and 1, and up to three keys of which a request
   * must meet one; 0 for other predicates. Judged by these a predicate takes one line of the processor's cache, and by
   * its objects five.
   */
  #keyed = new Int32Array(KEYED_LENGTH * 256);
  /** By an attribute's number and 1: the only key that the request meets, or {@link NO_KEY} or {@link SEVERAL_KEYS}. */
  #met = new Int32Array(32);
  /** By the same: the epoch of `#met`. */
  #metIn = new Int32Array(32);
  readonly #attributes: (Attribute | null)[] = [];
  #failing = 0;
  #holding = 1;
  #occasion: EvaluationContext | null = null;

  /** `lastEpoch`: the number of evaluations after which epochs start again at 1. */
  constructor(lastEpoch = LAST_EPOCH) {
    this.#lastEpoch = lastEpoch;
  }

  get size(): number {
    return this.#predicates.length - this.#free.length;
  }

  /**
   * The number of an existing predicate, with one more use counted; null where none has the signature. Each use must be
   * matched by one call of `release`.
   */
  hold(signature: Signature, attribute: Attribute | null): number | null {
    const known = (attribute?.predicates ?? this.#bySignature).get(signature);
    if (known === undefined) return null;
    this.#references[known]!++;
    return known;
  }

  /** Counts one more use of a predicate if its number still stands for it. */
  holdSame(id: number, predicate: object): boolean {
    if (this.#predicates[id] !== predicate) return false;
    this.#references[id]!++;
    return true;
  }

  /**
   * Adds a predicate and returns its number. The signature must be unique within the attribute, or among predicates
   * without one. Each call must be matched by one call of `release`.
   */
  add(signature: Signature, predicate: Predicate): number {
    const id = this.#free.pop() ?? this.#predicates.length;
    this.#predicates[id] = predicate;
    const { exclusion, keySet } = predicate;
    this.#keySets[id] = keySet;
    this.#key(id, keySet);
    this.#exclusions[id] = exclusion === null ? null : exclusion.attribute;
    exclusion?.attribute.exclude(exclusion.keys, id);
    this.#signatures[id] = signature;
    this.#references[id] = 1;
    (predicate.attribute?.predicates ?? this.#bySignature).set(signature, id);
    if (id >= this.#judgements.length) {
      this.#judgements = longer(this.#judgements);
    }
    this.#judgements[id] = 0;
    return id;
  }

  release(id: number): void {
    this.#references[id]!--;
    if (this.#references[id] !== 0) return;
    const predicate = this.#predicates[id]!;
    (predicate.attribute?.predicates ?? this.#bySignature).delete(this.#signatures[id]!);
    this.#predicates[id] = null;
    this.#keySets[id] = null;
    this.#signatures[id] = '';
    this.#free.push(id);
    const { exclusion } = predicate;
    exclusion?.attribute.excludeNoMore(exclusion.keys, id);
    predicate.release();
    if (predicate.attribute !== null) this.attributes.release(predicate.attribute);
  }

  at(id: number): Predicate {
    return this.#predicates[id]!;
  }

  keySetOf(id: number): KeySet | null {
    return this.#keySets[id]!;
  }

  likelihoodOf(id: number): number {
    const keySet = this.#keySets[id]!;
    return keySet === null ? this.#predicates[id]!.likelihood : keyShare(keySet);
  }

  /** `timezone` must be one: see `isTimezone`. */
  clock(timezone: string): ZoneClock {
    const zone = timezone.toLowerCase();
    let clock = this.#clocks.get(zone);
    if (clock === undefined) {
      clock = new ZoneClock(timezone);
      this.#clocks.set(zone, clock);
    }
    return clock;
  }

  /** Writes down the keys of a predicate that has few. */
  #key(id: number, keySet: KeySet | null): void {
    const at = KEYED_LENGTH * id;
    if (at >= this.#keyed.length) this.#keyed = longer(this.#keyed);
    this.#keyed[at] = 0;
    if (keySet === null || keySet.keys.length >= KEYED_LENGTH) return;
    const slot = keySet.attribute.number + 1;
    while (slot >= this.#met.length) {
      this.#met = longer(this.#met);
      this.#metIn = longer(this.#metIn);
    }
    this.#attributes[slot] = keySet.attribute;
    this.#metIn[slot] = 0;
    this.#keyed[at] = slot;
    for (let place = 1; place < KEYED_LENGTH; place++) this.#keyed[at + place] = keySet.keys[place - 1] ?? NO_KEY;
  }

  /** Starts an evaluation. It is valid until a predicate is held or released. */
  begin(view: TargetingContext, nowMs: number, admits: (owner: string) => boolean): EvaluationContext {
    let epoch = this.#failing / 2 + 1;
    if (epoch > this.#lastEpoch) {
      this.#judgements.fill(0);
      this.attributes.forget();
      this.#metIn.fill(0);
      epoch = 1;
    }
    this.#failing = 2 * epoch;
    this.#holding = 2 * epoch + 1;
    this.#occasion = { epoch, view, nowMs, admits };
    return this.#occasion;
  }

  /** The keys of an attribute that the request meets. */
  keysMet(attribute: Attribute): readonly number[] {
    return attribute.keys(this.#occasion!);
  }

  /** Whether a predicate holds in the current evaluation. */
  holds(id: number): boolean {
    const keyed = this.#keyed;
    const at = KEYED_LENGTH * id;
    const slot = keyed[at]!;
    if (slot !== 0) {
      const met = this.keyMet(slot);
      if (met >= 0) return met === keyed[at + 1] || met === keyed[at + 2] || met === keyed[at + 3];
      if (met === NO_KEY) return false;
    }
    const judgement = this.#judgements[id];
    if (judgement === this.#holding) return true;
    return judgement === this.#failing ? false : this.#judge(id);
  }

  /**
   * The only key of an attribute, by its number and 1, that the request meets: {@link NO_KEY} for none, another number
   * below 0 for several.
   */
  keyMet(slot: number): number {
    return this.#metIn[slot] === this.#failing >> 1 ? this.#met[slot]! : this.#meet(slot);
  }

  appendKeys(id: number, to: number[]): void {
    const at = KEYED_LENGTH * id;
    const keyed = this.#keyed;
    to.push(keyed[at]!, keyed[at + 1]!, keyed[at + 2]!, keyed[at + 3]!);
  }

  #meet(slot: number): number {
    const keys = this.keysMet(this.#attributes[slot]!);
    const met = keys.length === 1 ? keys[0]! : keys.length === 0 ? NO_KEY : SEVERAL_KEYS;
    this.#met[slot] = met;
    this.#metIn[slot] = this.#occasion!.epoch;
    return met;
  }

  #exclude(attribute: Attribute): void {
    attribute.excludedIn = this.#occasion!.epoch;
    for (const key of this.keysMet(attribute)) {
      for (const id of attribute.excludedBy(key)) this.#judgements[id] = this.#failing;
    }
  }

  /**
   * Judges a predicate that was not judged yet. Predicates that a request excludes are marked by attribute, so that the
   * many predicates that exclude other values are not judged one by one: with hundreds of thousands of them, that would
   * be most of the work.
   */
  #judge(id: number): boolean {
    const attribute = this.#exclusions[id]!;
    if (attribute !== null) {
      if (attribute.excludedIn !== this.#occasion!.epoch) this.#exclude(attribute);
      return this.#judgements[id] !== this.#failing;
    }
    const holds = this.#predicates[id]!.holds(this.#occasion!);
    this.#judgements[id] = holds ? this.#holding : this.#failing;
    return holds;
  }
}

function longer(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const all = new Int32Array(2 * numbers.length);
  all.set(numbers);
  return all;
}
