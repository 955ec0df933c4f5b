import { asset } from '../../../actors/asset/asset.ts';
import { assetId } from '../../../actors/asset/asset-id.ts';
import { campaign } from '../../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../../actors/campaign/reduce.ts';
import { type CreativeUrl, creativeUrls } from '../../../exchange/creative/creative-urls.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { everyOne } from '../../every-one.ts';
import type { CreativeIntake } from '../creative-intake.ts';

export interface RefreshParts {
  readonly intake: Pick<CreativeIntake, 'refresh'>;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'query'>;
}

/** What one round came to. */
export interface Refreshed {
  readonly refreshed: number;
  /** Their last good content, where there was one, stays. */
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

const STILL_THERE = { status: { in: ['active', 'paused'] } };

/**
 * Fetches again what is due and what campaigns name; a week after nobody names an asset any more, it is forgotten. Each is
 * claimed with its actor before, so that of several processes one fetches it. Files stay: others may be made of the same.
 *
 * Of campaigns that an older release saved, assets are fetched for the first time.
 */
export async function refreshDueAssets(parts: RefreshParts, nowMs: number): Promise<Refreshed> {
  const { messenger, store } = parts;
  const counts = { refreshed: 0, failed: 0, forgotten: 0 };
  const refresh = async ({ url, use }: CreativeUrl) => {
    if (!(await agrees(messenger.ask(asset, assetId(url), 'claim', { forMs: CLAIM_MS })))) return;
    const failure = await parts.intake.refresh(url, use);
    counts[failure === null ? 'refreshed' : 'failed'] += 1;
  };
  await everyOne(await campaignsWithoutAssets(store), FETCHES_AT_ONCE, async ({ id, urls }) => {
    for (const one of urls) await refresh(one);
    await messenger.tell(campaign, id, 'index', {});
  });
  const due = await store.query(asset.kind, {
    where: { nextRefreshAt: { lt: new Date(nowMs).toISOString() } },
    orderBy: 'nextRefreshAt',
    limit: MOST_AT_A_TIME,
  });
  await everyOne(due.documents, FETCHES_AT_ONCE, async ({ id }) => {
    const wanted = await wantedAs(store, id);
    if (wanted !== null) await refresh(wanted);
    else if (await agrees(messenger.ask(asset, id, 'forget', { overdueMs: FORGET_AFTER_MS }))) counts.forgotten += 1;
  });
  return counts;
}

interface Unindexed {
  readonly id: string;
  /** Of which there is no asset. */
  readonly urls: readonly CreativeUrl[];
}

async function campaignsWithoutAssets(store: RefreshParts['store']): Promise<Unindexed[]> {
  const where = { ...STILL_THERE, assetIds: null };
  const { documents } = await store.query(campaign.kind, { where, limit: MOST_AT_A_TIME });
  return Promise.all(
    documents.map(async ({ id, state }) => {
      const { campaign: document } = state as CampaignState;
      const urls = document === null ? [] : creativeUrls(document);
      const assets = await store.load(urls.map(({ url }) => ({ kind: asset.kind, id: assetId(url) })));
      return { id, urls: urls.filter((_, index) => !assets[index]?.state) };
    }),
  );
}

/** What a campaign that may bid, or may bid again, has the URL for; null when there is none. */
async function wantedAs(store: RefreshParts['store'], id: string): Promise<CreativeUrl | null> {
  const { documents } = await store.query(campaign.kind, { where: { ...STILL_THERE, assetIds: id }, limit: 1 });
  const document = (documents[0]?.state as CampaignState | undefined)?.campaign ?? null;
  if (document === null) return null;
  return creativeUrls(document).find((one) => assetId(one.url) === id) ?? null;
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
