import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from './watermark.ts';

/** The key of the watermark of the books in the store. */
export const LEDGER_WATERMARK_KEY = { kind: watermark.kind, id: LEDGER_WATERMARK_ID } as const;

/**
 * The watermark in a document: the instant up to which the books are complete, ms since the epoch; 0 while none was
 * written.
 */
export function watermarkMsOf(books: { readonly state: unknown } | null | undefined): number {
  return (books?.state as WatermarkState | null | undefined)?.throughMs ?? 0;
}

/** The part of a state store that is needed to read books. */
interface WatermarkStore<Reads> {
  load(keys: readonly (typeof LEDGER_WATERMARK_KEY)[]): Promise<readonly ({ readonly state: unknown } | null)[]>;
  after(token: string): Reads;
}

/**
 * The watermark, and reads that include it: whichever server answers, it has everything that the watermark counts on.
 */
export interface WatermarkedReads<Reads> {
  readonly throughMs: number;
  readonly store: Reads;
}

export async function readAtWatermark<Reads>(store: WatermarkStore<Reads>): Promise<WatermarkedReads<Reads>> {
  const [books] = await store.load([LEDGER_WATERMARK_KEY]);
  const { token = '' } = (books?.state ?? {}) as Partial<WatermarkState>;
  return { throughMs: watermarkMsOf(books), store: store.after(token) };
}
