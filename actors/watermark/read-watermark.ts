import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from './watermark.ts';

/** Where the store has the watermark of the books. */
export const LEDGER_WATERMARK_KEY = { kind: watermark.kind, id: LEDGER_WATERMARK_ID } as const;

/** What stands there says: how far the books are complete, ms since the epoch; 0 while nobody has said so. */
export function watermarkMsOf(books: { readonly state: unknown } | null | undefined): number {
  return (books?.state as WatermarkState | null | undefined)?.throughMs ?? 0;
}

/** A state store, as far as books are read from it. */
interface WatermarkStore<Reads> {
  load(keys: readonly (typeof LEDGER_WATERMARK_KEY)[]): Promise<readonly ({ readonly state: unknown } | null)[]>;
  after(token: string): Reads;
}

/** How far the books are complete, and reads that find them so: whichever server answers, it has all that the watermark counts on. */
export interface WatermarkedReads<Reads> {
  readonly throughMs: number;
  readonly store: Reads;
}

export async function readAtWatermark<Reads>(store: WatermarkStore<Reads>): Promise<WatermarkedReads<Reads>> {
  const [books] = await store.load([LEDGER_WATERMARK_KEY]);
  const { token = '' } = (books?.state ?? {}) as Partial<WatermarkState>;
  return { throughMs: watermarkMsOf(books), store: store.after(token) };
}
