import { modals } from '@mantine/modals';
import { wantOverlays } from './overlays-ready.ts';

/** Opens a dialog with two buttons over the page. */
export async function openConfirm(dialog: Parameters<typeof modals.openConfirmModal>[0]): Promise<void> {
  await wantOverlays();
  modals.openConfirmModal(dialog);
}
