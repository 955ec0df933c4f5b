import { CampaignIndex } from '../../exchange/strategy/index/campaign-index.ts';
import { jobOf, sendToParent } from '../processes/child.ts';
import { median, percentile } from '../statistics.ts';
import { Market, type Selectivity } from './market.ts';

/** The job of this process: fill an index and match against it, with nothing else on the heap. Needs `--expose-gc`. */
export interface MatchingJob {
  readonly campaigns: number;
  readonly selectivity: Selectivity;
  readonly requests: number;
}

export interface Matching {
  /** Time to compile all campaigns; their documents are made before. */
  readonly compileMs: number;
  readonly matchMicros: { readonly p50: number; readonly p99: number };
  /** Time of one change: a `put` that replaces a campaign. */
  readonly changeMicros: { readonly p99: number; readonly most: number };
  /** Memory of the index per campaign: heap and typed arrays, after a collection. */
  readonly bytesPerCampaign: number;
  /** Mean time of a request. */
  readonly matches: number;
}

const WARM_UP = 300;
const CHANGES = 2000;

const { campaigns, selectivity, requests } = jobOf<MatchingJob>();
const market = new Market(selectivity);
const index = new CampaignIndex();
const nowMs = Date.parse('2026-01-31T14:30:00Z');
const admits = () => true;
/** Makes ids as they come over the wire: separate strings. */
const idOf = (at: number) => JSON.parse(`"00000000-0000-4000-8000-${String(at).padStart(12, '0')}"`) as string;
const ownerOf = (at: number) => idOf(at % 100);

/**
 * Documents are made outside the measured time and dropped after each slice, so that only memory of the index stays.
 */
const SLICE = 1000;
let compileMs = 0;
const before = usedBytes();
for (let from = 0; from < campaigns; from += SLICE) {
  const slice = Array.from({ length: Math.min(SLICE, campaigns - from) }, (_, at) => market.campaign(from + at));
  const names = slice.map((_, at) => [idOf(from + at), ownerOf(from + at)] as const);
  const start = performance.now();
  for (const [at, campaign] of slice.entries()) index.put(...names[at]!, campaign);
  compileMs += performance.now() - start;
}
const bytesPerCampaign = (usedBytes() - before) / campaigns;

let matches = 0;
const micros = Array.from({ length: requests + WARM_UP }, () => {
  const view = market.view();
  const start = performance.now();
  matches += index.match(view, nowMs, admits).length;
  return (performance.now() - start) * 1000;
}).slice(WARM_UP);

const changes = Array.from({ length: CHANGES }, (_, at) => {
  const place = (at * 7919) % campaigns;
  const [id, owner, campaign] = [idOf(place), ownerOf(place), market.campaign(campaigns + at)] as const;
  const start = performance.now();
  index.put(id, owner, campaign);
  return (performance.now() - start) * 1000;
});

sendToParent({
  compileMs,
  matchMicros: { p50: median(micros), p99: percentile(micros, 0.99) },
  changeMicros: { p99: percentile(changes, 0.99), most: Math.max(...changes) },
  bytesPerCampaign,
  matches: matches / (requests + WARM_UP),
} satisfies Matching);
process.disconnect();

function usedBytes(): number {
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
