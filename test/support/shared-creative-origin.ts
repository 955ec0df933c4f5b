import { startCreativeOrigin } from './creative-origin.ts';

/**
 * An origin of creatives that answers every path, for tests that save campaigns and test something else. It runs until
 * the process ends and does not keep it alive.
 */
const shared = await startCreativeOrigin({ lasting: true });

/** The URL of a VAST document; each name has its own. */
export function vastUrl(name: string): string {
  return shared.url(`/${name}.xml`);
}

/** The URL of a PNG of 300×250. */
export function imageUrl(name: string): string {
  return shared.url(`/${name}.png`);
}
