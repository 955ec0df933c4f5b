import { notifications } from '@mantine/notifications';
import { ApiFault } from '../api/fault.ts';
import { wantOverlays } from './overlays-ready.ts';

/** Says that something is done. */
export function tellDone(message: string): void {
  void wantOverlays();
  notifications.show({ message, color: 'green', withBorder: true });
}

/** Says what the API refused, where no field can show it. */
export function tellFault(error: unknown): void {
  const fault = error instanceof ApiFault ? error : null;
  void wantOverlays();
  notifications.show({
    title: fault?.status === 412 ? 'Somebody else was first' : 'That did not work',
    message: error instanceof Error ? error.message : String(error),
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
  });
}
