import { watermarkMsOf } from '../../actors/watermark/read-watermark.ts';
import { LEDGER_WATERMARK_ID, watermark } from '../../actors/watermark/watermark.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** A watermark, that of the books by default; ms since the epoch, 0 while none was written. */
export async function readWatermark(
  { store }: { readonly store: Pick<StateStore, 'load'> },
  id: string = LEDGER_WATERMARK_ID,
): Promise<number> {
  const [document] = await store.load([{ kind: watermark.kind, id }]);
  return watermarkMsOf(document);
}
