import { asset } from '../../../actors/asset/asset.ts';
import { assetId } from '../../../actors/asset/asset-id.ts';
import type { AssetState } from '../../../actors/asset/reduce.ts';
import { campaign } from '../../../actors/campaign/campaign.ts';
import type { CampaignView } from '../../../actors/campaign/view.ts';
import { creativeUrls } from '../../../exchange/creative/creative-urls.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { Replica } from '../../../runtime/actor/replica.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { everyOne } from '../../every-one.ts';
import type { CreativeIntake } from '../creative-intake.ts';
import type { CreativeUse } from '../load-creative.ts';

export interface RefreshParts {
  readonly intake: Pick<CreativeIntake, 'refresh'>;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'query'>;
  /** Of campaigns and assets. */
  readonly replica: Replica;
}

/** What one round came to. */
export interface Refreshed {
  readonly refreshed: number;
  /** Their last good content stays. */
  readonly failed: number;
  /** Of no campaign any more. */
  readonly forgotten: number;
}

/** Most of one round; the next one goes on. */
const MOST_AT_A_TIME = 500;
const FETCHES_AT_ONCE = 4;
/** Longer than a fetch with all its wrappers and files takes. */
const CLAIM_MS = 5 * 60_000;
/** A campaign may come back: what it was made of is remembered this long after it was due. */
const FORGET_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Fetches again what campaigns name and what is due, and for the first time what they name and nobody has fetched (they
 * are older than this release). Each asset is claimed with its actor before, so that of several processes one fetches it.
 * What nobody names any more is not fetched; a week later it is forgotten. Its files stay: others may be made of the same.
 */
export async function refreshDueAssets(parts: RefreshParts, nowMs: number): Promise<Refreshed> {
  const { messenger, store } = parts;
  const wanted = wantedUrls(parts.replica);
  const due = await store.query(asset.kind, {
    where: { nextRefreshAt: { lt: new Date(nowMs).toISOString() } },
    orderBy: 'nextRefreshAt',
    limit: MOST_AT_A_TIME,
  });
  const counts = { refreshed: 0, failed: 0, forgotten: 0 };
  const refresh = async (url: string, use: CreativeUse) => {
    if (!(await agrees(messenger.ask(asset, assetId(url), 'claim', { forMs: CLAIM_MS })))) return;
    const failure = await parts.intake.refresh(url, use);
    counts[failure === null ? 'refreshed' : 'failed'] += 1;
  };
  await everyOne(due.documents, FETCHES_AT_ONCE, async ({ id, state }) => {
    const use = wanted.get((state as AssetState).url);
    if (use !== undefined) await refresh((state as AssetState).url, use);
    else if (await agrees(messenger.ask(asset, id, 'forget', { overdueMs: FORGET_AFTER_MS }))) counts.forgotten += 1;
  });
  const known = new Set(due.documents.map(({ id }) => id));
  const missing = [...wanted].filter(([url]) => !known.has(assetId(url)) && !isKnown(parts.replica, url));
  await everyOne(missing.slice(0, MOST_AT_A_TIME), FETCHES_AT_ONCE, ([url, use]) => refresh(url, use));
  return counts;
}

function isKnown(replica: Replica, url: string): boolean {
  return replica.get(asset.kind, assetId(url)) !== undefined;
}

/** What campaigns that may bid, or may bid again, are made of. */
function wantedUrls(replica: Replica): Map<string, CreativeUse> {
  const wanted = new Map<string, CreativeUse>();
  for (const view of replica.all<CampaignView>(campaign.kind).values()) {
    for (const { url, use } of creativeUrls(view.campaign)) wanted.set(url, use);
  }
  return wanted;
}

/** False when the actor says that it is not, or no longer, the moment. */
async function agrees(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Rejected && error.code === 'CONFLICT') return false;
    throw error;
  }
}
