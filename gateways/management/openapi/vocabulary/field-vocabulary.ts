import { auctionFieldVocabulary } from './auctions.ts';
import { creativeFieldVocabulary } from './creatives.ts';
import { figureFieldVocabulary } from './figures.ts';
import { resourceFieldVocabulary } from './resources.ts';
import type { Words } from './word-table.ts';

const words: Words = {
  ...resourceFieldVocabulary,
  ...figureFieldVocabulary,
  ...auctionFieldVocabulary,
  ...creativeFieldVocabulary,
};

/** The description of a field of this name; undefined for a name that is not in the vocabulary. */
export function fieldDescription(name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name]![0] : undefined;
}

/** An example value for a field of this name; undefined where there is none. */
export function fieldExample(name: string): unknown {
  return Object.hasOwn(words, name) ? words[name]![1] : undefined;
}
