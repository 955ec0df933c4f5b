import { auctionFieldVocabulary } from './auctions.ts';
import { figureFieldVocabulary } from './figures.ts';
import { resourceFieldVocabulary } from './resources.ts';
import type { Words } from './word-table.ts';

const words: Words = { ...resourceFieldVocabulary, ...figureFieldVocabulary, ...auctionFieldVocabulary };

/** What a field of this name means; undefined for a name that is no common word. */
export function fieldDescription(name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name]![0] : undefined;
}

/** A value that a field of this name may have; undefined where none is known. */
export function fieldExample(name: string): unknown {
  return Object.hasOwn(words, name) ? words[name]![1] : undefined;
}
