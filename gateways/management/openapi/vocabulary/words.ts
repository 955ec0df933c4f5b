import { auctionWords } from './auctions.ts';
import { figureWords } from './figures.ts';
import { resourceWords } from './resources.ts';

/**
 * Name of a field → what it means, in a sentence, and a value that it may have. One word has one meaning in the whole API: a field
 * whose own schema says nothing is described by its name. What is said here need not be said by each of the resources.
 */
export type Words = Readonly<Record<string, readonly [description: string, example?: unknown]>>;

const words: Words = { ...resourceWords, ...figureWords, ...auctionWords };

/** What a field of this name means; undefined for a name that is no common word. */
export function meaningOf(name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name]![0] : undefined;
}

/** A value that a field of this name may have; undefined where none is known. */
export function exampleOfWord(name: string): unknown {
  return Object.hasOwn(words, name) ? words[name]![1] : undefined;
}
