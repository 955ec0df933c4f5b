import { creative } from '#actors/creative/creative';
import { DYNAMIC_FINGERPRINT } from '#actors/creative/dynamic-fingerprint';
import type { CreativeState } from '#actors/creative/reduce';
import type { Messenger } from '#runtime/actor/messenger';
import type { StateStore } from '#runtime/ports/store';
import { FetchFailed } from '../fetch/failures.ts';
import { FetchLimit } from '../fetch/fetch-limit.ts';
import { type HostingResult, hostCreative } from '../host/host-creative.ts';
import { Findings } from './findings.ts';
import { type ScanDeps, type Scanned, scanCreative } from './scan-creative.ts';
import { ScanLoad } from './scan-load.ts';

export interface ProcessDeps extends ScanDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'query'>;
  /** A scan counts as fresh for this many ms. */
  readonly rescanMs: number;
}

/** One scan with its hosting lasts no longer. */
const SCAN_MS = 90_000;
/** A scan that failed for a reason of ours, or hosting whose servers failed, is tried again after this many ms. */
const AGAIN_MS = 10 * 60_000;
const OTHERS_LOOKED_AT = 5;

const HOSTED_BY_CAMPAIGN = 'Its campaign has its media hosted.';

/**
 * Scans a creative that was claimed, hosts it where it is stable, and tells its actor. Markup that another demand
 * source or another `crid` has brought lately is not loaded again.
 */
export async function processCreative(
  deps: ProcessDeps,
  id: string,
  state: CreativeState,
  stop: AbortSignal,
): Promise<void> {
  const { messenger, rescanMs } = deps;
  const shared = await sharedScan(deps, id, state);
  if (shared?.scan.report) {
    const { hosting, scan } = shared;
    if (isToBeHosted(state)) await tellHosting(messenger, id, hosting);
    const { report, findings, media } = scan;
    await messenger.ask(creative, id, 'scanned', { report: report!, findings, media, againInMs: rescanMs });
    return;
  }
  const limit = new FetchLimit(deps.clock, SCAN_MS, 'come to its end', stop);
  const load = new ScanLoad(deps, new Findings(), limit.signal);
  try {
    const scanned = await scanCreative(deps, load, state, limit.signal);
    const isHosted = isToBeHosted(state);
    let isPassing = isHosted && (await host(deps, load, id, state, scanned));
    const againInMs = isPassing ? Math.min(AGAIN_MS, rescanMs) : rescanMs;
    const { report, findings, media } = scanned;
    const body = { report, findings: [...findings], media: [...media], againInMs };
    const after = await messenger.ask(creative, id, 'scanned', body);
    // It has turned out to be stable meanwhile.
    if (!isHosted && isToBeHosted(after)) isPassing = await host(deps, load, id, after, scanned);
  } catch (error) {
    // A process that stops leaves the creative to the next one, as soon as the claim has ended.
    if (stop.aborted) return;
    const reason = error instanceof FetchFailed ? `It ${error.message}.` : 'The exchange could not look into it.';
    await messenger.ask(creative, id, 'scan-failed', { reason, againInMs: AGAIN_MS });
    if (!(error instanceof FetchFailed)) throw error;
  } finally {
    limit.end();
    await load.close();
  }
}

function isToBeHosted({ stability }: CreativeState): boolean {
  return stability === 'stable';
}

/** Hosts the creative and tells its actor. Answers whether another attempt may have another result. */
async function host(
  deps: ProcessDeps,
  load: ScanLoad,
  id: string,
  state: CreativeState,
  scanned: Scanned,
): Promise<boolean> {
  const result: HostingResult =
    state.campaignId === null
      ? await hostCreative(deps, load, state, scanned)
      : { hosted: false, reason: HOSTED_BY_CAMPAIGN, mayPass: false };
  if (result.hosted) {
    await deps.messenger.ask(creative, id, 'hosted', { file: result.file, files: result.files });
    return false;
  }
  // What was hosted before goes on being served while its servers fail.
  if (result.mayPass && state.hosting.status === 'hosted') return true;
  await deps.messenger.ask(creative, id, 'not-hosted', { reason: result.reason });
  return result.mayPass;
}

async function tellHosting(
  messenger: Messenger,
  id: string,
  { status, file, files, reason }: CreativeState['hosting'],
): Promise<void> {
  if (status === 'hosted' && file !== null) await messenger.ask(creative, id, 'hosted', { file, files });
  else await messenger.ask(creative, id, 'not-hosted', { reason: reason ?? '' });
}

/** Another creative of the same markup and advertiser that was scanned lately; null where there is none. */
async function sharedScan(
  { store, clock, rescanMs }: ProcessDeps,
  id: string,
  state: CreativeState,
): Promise<CreativeState | null> {
  if (state.fingerprint === DYNAMIC_FINGERPRINT || state.campaignId !== null) return null;
  const where = { fingerprint: state.fingerprint };
  const { documents } = await store.query(creative.kind, { where, limit: OTHERS_LOOKED_AT });
  const since = new Date(clock.now() - rescanMs / 2).toISOString();
  for (const { id: other, state: found } of documents) {
    const one = found as CreativeState | null;
    if (other === id || one === null || one.campaignId !== null) continue;
    const { scan, hosting, stability } = one;
    const isFresh = scan.report !== null && scan.failure === null && scan.scannedAt > since;
    const isSettled = state.stability !== 'stable' || (stability === 'stable' && hosting.status !== 'waiting');
    if (isFresh && isSettled && isAlike(one, state)) return one;
  }
  return null;
}

function isAlike(one: CreativeState, other: CreativeState): boolean {
  const keyOf = ({ advertiserDomains, formats, sizes }: CreativeState) =>
    JSON.stringify([[...advertiserDomains].sort(), [...formats].sort(), [...sizes].sort()]);
  return keyOf(one) === keyOf(other);
}
