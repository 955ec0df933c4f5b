import { BOOKS_KEY, throughMsOf } from '../../actors/watermark/books-through.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** How far the books are complete, ms since the epoch; 0 while nobody has said so. */
export async function booksThrough({ store }: { readonly store: Pick<StateStore, 'load'> }): Promise<number> {
  const [books] = await store.load([BOOKS_KEY]);
  return throughMsOf(books);
}
