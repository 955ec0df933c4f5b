import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { overlaysAsked } from '../kit/overlays-ready.ts';
import { styleNonce } from './look/nonce.ts';
import { theme, variables } from './look/theme.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { SessionGuard } from './session/session-guard.tsx';

/** Shown over a page, once something is to be. */
const Overlays = lazy(() => overlaysAsked.then(() => import('./overlays.tsx')));

/** Everything: the look, what is kept of answers, and the page that the URL names. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <SessionGuard />
        <Suspense>
          <Overlays />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}
