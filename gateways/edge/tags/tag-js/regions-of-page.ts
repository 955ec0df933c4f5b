import { type NearestRegion, nearestRegion, type PagePorts, type RegionEdges } from './nearest-region.ts';

/** Where the edges of each region are; the edge that serves the script puts them here (tag-script.ts). */
declare const EXCHANGE_REGIONS: readonly RegionEdges[];

/** Attribute of the script: the code of the one region that is asked, or {@link OFF}. */
const ATTRIBUTE = 'data-region';
/** The edge that served the script is asked, and no other. */
const OFF = 'off';

/** The regions that a script's requests go to. `served`: the URL of the edge that it came from. */
export function regionsOfPage(script: HTMLScriptElement | null, served: string): NearestRegion {
  const regions = EXCHANGE_REGIONS;
  const fixed = script?.getAttribute(ATTRIBUTE);
  if (!fixed) return nearestRegion(served, regions, page);
  const url = new Map(regions).get(fixed);
  if (url === undefined && fixed !== OFF) console.warn(`ad tag: ${fixed} is no region of this exchange`);
  return nearestRegion(url ?? served, [], page);
}

const page: PagePorts = {
  fetch: (url, init) => fetch(url, init),
  monotonic: () => performance.now(),
  now: () => Date.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
  // Safari has no `requestIdleCallback`.
  whenIdle: (fire) => void (window.requestIdleCallback ?? setTimeout)(() => fire()),
  storage: () => localStorage,
};
