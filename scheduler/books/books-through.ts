import { BOOKS, type WatermarkState, watermark } from '../../actors/watermark/watermark.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** How far the books are complete, ms since the epoch; 0 while nobody has said so. */
export async function booksThrough({ store }: { readonly store: Pick<StateStore, 'load'> }): Promise<number> {
  const [document] = await store.load([{ kind: watermark.kind, id: BOOKS }]);
  return (document?.state as WatermarkState | undefined)?.throughMs ?? 0;
}
