import { LEDGER_WATERMARK_KEY, watermarkMsOf } from '../../actors/watermark/read-watermark.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** How far the books are complete, ms since the epoch; 0 while nobody has said so. */
export async function readWatermark({ store }: { readonly store: Pick<StateStore, 'load'> }): Promise<number> {
  const [books] = await store.load([LEDGER_WATERMARK_KEY]);
  return watermarkMsOf(books);
}
