let ask: () => void;
let ready: () => void;

/** Once somebody wants dialogs or notifications: until then nothing of them is loaded (app/overlays.tsx). */
export const overlaysAsked = new Promise<void>((resolve) => {
  ask = resolve;
});

const overlaysReady = new Promise<void>((resolve) => {
  ready = resolve;
});

/** Resolves once there is something to show them with. */
export function wantOverlays(): Promise<void> {
  ask();
  return overlaysReady;
}

/** Called by it. */
export function overlaysAreReady(): void {
  ready();
}
