import type { TargetingContext } from '../../read-field.ts';
import type { Attribute } from '../attributes/attribute.ts';
import { Attributes } from '../attributes/attributes.ts';
import type { EvaluationContext } from '../evaluation-context.ts';
import type { Predicate } from './predicate.ts';
import { ZoneClock } from './time-predicate.ts';

/** Numbers are looked up faster than text is made. */
export type Signature = string | number;

/** Twice an epoch and one fit into 32 bits with a sign. */
const LAST_EPOCH = 2 ** 30 - 1;

/**
 * Every predicate that somebody asks for, once, under a small number; each is judged at most once on an occasion. A
 * number is free again when nobody asks for its predicate any more.
 */
export class PredicateTable {
  readonly attributes = new Attributes();
  readonly #predicates: (Predicate | null)[] = [];
  /** By number: where it fails only for what the request meets there. */
  readonly #exclusions: (Attribute | null)[] = [];
  readonly #signatures: Signature[] = [];
  readonly #references: number[] = [];
  readonly #free: number[] = [];
  /** Those of no attribute; an attribute has its own. */
  readonly #bySignature = new Map<Signature, number>();
  /** By the zone in small letters; there are fewer than a thousand. */
  readonly #clocks = new Map<string, ZoneClock>();
  readonly #lastEpoch: number;

  /** By number: twice the epoch in which it was judged last, and one more where it held. */
  #judgements = new Int32Array(256);
  #failing = 0;
  #holding = 1;
  #occasion: EvaluationContext | null = null;

  /** `lastEpoch`: after how many occasions their numbers begin anew. */
  constructor(lastEpoch = LAST_EPOCH) {
    this.#lastEpoch = lastEpoch;
  }

  get size(): number {
    return this.#predicates.length - this.#free.length;
  }

  /** The number of a predicate that there is; null for a signature without one. To be answered by `release`. */
  hold(signature: Signature, attribute: Attribute | null): number | null {
    const known = (attribute?.predicates ?? this.#bySignature).get(signature);
    if (known === undefined) return null;
    this.#references[known]!++;
    return known;
  }

  /**
   * The number of a new predicate. Its signature tells it from all others of its attribute, or of none. To be answered by
   * `release`.
   */
  add(signature: Signature, predicate: Predicate): number {
    const id = this.#free.pop() ?? this.#predicates.length;
    this.#predicates[id] = predicate;
    const { exclusion } = predicate;
    this.#exclusions[id] = exclusion === null ? null : exclusion.attribute;
    exclusion?.attribute.exclude(exclusion.keys, id);
    this.#signatures[id] = signature;
    this.#references[id] = 1;
    (predicate.attribute?.predicates ?? this.#bySignature).set(signature, id);
    if (id >= this.#judgements.length) {
      const longer = new Int32Array(2 * this.#judgements.length);
      longer.set(this.#judgements);
      this.#judgements = longer;
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

  /** `timezone` is one: `isTimezone`. */
  clock(timezone: string): ZoneClock {
    const zone = timezone.toLowerCase();
    let clock = this.#clocks.get(zone);
    if (clock === undefined) {
      clock = new ZoneClock(timezone);
      this.#clocks.set(zone, clock);
    }
    return clock;
  }

  /** What follows is judged on a new occasion, until something is held or released. */
  begin(view: TargetingContext, nowMs: number, admits: (owner: string) => boolean): EvaluationContext {
    let epoch = this.#failing / 2 + 1;
    if (epoch > this.#lastEpoch) {
      this.#judgements.fill(0);
      this.attributes.forget();
      epoch = 1;
    }
    this.#failing = 2 * epoch;
    this.#holding = 2 * epoch + 1;
    this.#occasion = { epoch, view, nowMs, admits };
    return this.#occasion;
  }

  /** Of an attribute's keys those that the request meets. */
  keysMet(attribute: Attribute): readonly number[] {
    return attribute.keys(this.#occasion!);
  }

  /** Whether a predicate holds on the occasion that was begun last. */
  holds(id: number): boolean {
    const judgement = this.#judgements[id];
    if (judgement === this.#holding) return true;
    return judgement === this.#failing ? false : this.#judge(id);
  }

  #exclude(attribute: Attribute): void {
    attribute.excludedIn = this.#occasion!.epoch;
    for (const key of this.keysMet(attribute)) {
      for (const id of attribute.excludedBy(key)) this.#judgements[id] = this.#failing;
    }
  }

  /**
   * What a request excludes is noted by attribute, so that the many predicates that exclude something else are not looked
   * at one by one: where there are hundreds of thousands, that is most of the work.
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
