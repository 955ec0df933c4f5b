import { LEDGER_WATERMARK_KEY, watermarkMsOf } from '../../actors/watermark/read-watermark.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** The watermark of the books, ms since the epoch; 0 while none was written. */
export async function readWatermark({ store }: { readonly store: Pick<StateStore, 'load'> }): Promise<number> {
  const [document] = await store.load([LEDGER_WATERMARK_KEY]);
  return watermarkMsOf(document);
}
