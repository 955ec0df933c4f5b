import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { overlaysAreReady } from '../kit/overlays-ready.ts';

/** What kit/tell.ts and kit/confirm.tsx show over whatever page there is. */
export default function Overlays() {
  useEffect(overlaysAreReady, []);
  return (
    <>
      <Notifications position="bottom-right" limit={4} />
      <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>{null}</ModalsProvider>
    </>
  );
}
