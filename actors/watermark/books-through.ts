import { BOOKS, type WatermarkState, watermark } from './watermark.ts';

/** Where the store has the watermark of the books. */
export const BOOKS_KEY = { kind: watermark.kind, id: BOOKS } as const;

/** What stands there says: how far the books are complete, ms since the epoch; 0 while nobody has said so. */
export function throughMsOf(books: { readonly state: unknown } | null | undefined): number {
  return (books?.state as WatermarkState | null | undefined)?.throughMs ?? 0;
}
