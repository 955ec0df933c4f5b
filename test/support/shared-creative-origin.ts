import { startCreativeOrigin } from './creative-origin.ts';

/**
 * The origin of creatives that any path of leads to one, for tests that save campaigns and are about something else. Up
 * from when a test names it until the process ends, which it does not hold up.
 */
const shared = await startCreativeOrigin({ lasting: true });

/** Where a VAST document is; another one for each name. */
export function vastUrl(name: string): string {
  return shared.url(`/${name}.xml`);
}

/** Where a PNG of 300×250 is. */
export function imageUrl(name: string): string {
  return shared.url(`/${name}.png`);
}
