let ask: () => void;
let ready: () => void;

/** Set by the first dialog or notification: until then no code of them is loaded (app/overlays.tsx). */
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
