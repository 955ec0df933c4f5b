import type { Random } from '../ports/random.ts';

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ID_LENGTH = 22;
const WARM_UP_ROUNDS = 12;

/** Randomness that a seed determines: Chris Doty-Humphrey's sfc32. The same seed gives the same sequence everywhere. */
export class SeededRandom implements Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number | string) {
    let hash = 0x811c9dc5;
    for (const character of String(seed)) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
    this.#a = hash | 0;
    this.#b = Math.imul(hash, 0x9e3779b1) | 0;
    this.#c = Math.imul(hash ^ 0x5bd1e995, 0x85ebca6b) | 0;
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) this.next();
  }

  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 0x1_0000_0000;
  }

  id(): string {
    let id = '';
    for (let index = 0; index < ID_LENGTH; index += 1) id += ID_ALPHABET[this.below(ID_ALPHABET.length)];
    return id;
  }

  /** Creates a separate source, so that draws of one part do not affect another. */
  fork(purpose: string): SeededRandom {
    return new SeededRandom(`${purpose}:${Math.floor(this.next() * 0x1_0000_0000)}`);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** Exponentially distributed: the gaps of a Poisson process. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
