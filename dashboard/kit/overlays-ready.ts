let ready: () => void;

/** Once there is something to show dialogs with: it comes after the page (app/overlays.tsx), and somebody may be quicker. */
export const overlaysReady = new Promise<void>((resolve) => {
  ready = resolve;
});

/** Called by it. */
export function overlaysAreReady(): void {
  ready();
}
