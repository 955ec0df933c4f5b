import { auctionWords } from './auctions.ts';
import { figureWords } from './figures.ts';
import { resourceWords } from './resources.ts';
import type { Words } from './word-table.ts';

const words: Words = { ...resourceWords, ...figureWords, ...auctionWords };

/** What a field of this name means; undefined for a name that is no common word. */
export function meaningOf(name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name]![0] : undefined;
}

/** A value that a field of this name may have; undefined where none is known. */
export function exampleOfWord(name: string): unknown {
  return Object.hasOwn(words, name) ? words[name]![1] : undefined;
}
