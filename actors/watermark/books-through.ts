import { BOOKS, type WatermarkState, watermark } from './watermark.ts';

/** Where the store has the watermark of the books. */
export const BOOKS_KEY = { kind: watermark.kind, id: BOOKS } as const;

/** What stands there says: how far the books are complete, ms since the epoch; 0 while nobody has said so. */
export function throughMsOf(books: { readonly state: unknown } | null | undefined): number {
  return (books?.state as WatermarkState | null | undefined)?.throughMs ?? 0;
}

/** A state store, as far as books are read from it. */
interface BooksStore<Reads> {
  load(keys: readonly (typeof BOOKS_KEY)[]): Promise<readonly ({ readonly state: unknown } | null)[]>;
  after(token: string): Reads;
}

/** How far the books are complete, and reads that find them so: whichever server answers, it has all that the watermark counts on. */
export interface ReadBooks<Reads> {
  readonly throughMs: number;
  readonly store: Reads;
}

export async function readBooks<Reads>(store: BooksStore<Reads>): Promise<ReadBooks<Reads>> {
  const [books] = await store.load([BOOKS_KEY]);
  const { token = '' } = (books?.state ?? {}) as Partial<WatermarkState>;
  return { throughMs: throughMsOf(books), store: store.after(token) };
}
