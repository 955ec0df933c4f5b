import { createWorld, type World } from '#runtime/simulator/world';

/** A simulated world whose time follows the real one, for tests that wait in real time. */
export function pacedWorld(seed: string): { readonly world: World; stop(): Promise<void> } {
  const world = createWorld(seed);
  const began = performance.now();
  let stopping = false;
  const pacing = (async () => {
    while (!stopping) {
      await world.time.run(() => stopping, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  })();
  return {
    world,
    async stop() {
      stopping = true;
      await pacing;
    },
  };
}
