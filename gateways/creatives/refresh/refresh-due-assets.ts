import { asset } from '#actors/asset/asset';
import { assetId } from '#actors/asset/asset-id';
import { campaign } from '#actors/campaign/campaign';
import type { CampaignState } from '#actors/campaign/reduce';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { mapLimit } from '#async/map-limit';
import { type CreativeUrl, creativeUrls } from '#exchange/creative/creative-urls';
import { Rejected } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import type { StateStore } from '#runtime/ports/store';
import type { CreativeIngest } from '../creative-ingest.ts';
import type { FilesOwner } from '../quota/file-quota.ts';

export interface RefreshDeps {
  readonly ingest: Pick<CreativeIngest, 'refresh'>;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'query'>;
  /** Once it aborts, no fetch begins, and the fetches under way are given up. */
  readonly stop: AbortSignal;
}

/** The counts of one round. */
export interface RefreshResult {
  readonly refreshed: number;
  /** Assets whose fetch failed; the last good content stays, if there is any. */
  readonly failed: number;
  /** Assets that no campaign names any more: they are checked again each day and forgotten after one week. */
  readonly setAside: number;
  /** Campaigns of an older release whose assets were fetched for the first time. */
  readonly campaigns: number;
  /** True when another round may find more due assets now. */
  readonly more: boolean;
}

/** Campaigns and assets of one round at most; the next round continues. */
const BATCH_SIZE = 500;
const FETCHES_AT_ONCE = 4;
/** The claim on an asset lasts longer than a fetch with all its wrappers and files. */
const CLAIM_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** An unused asset is kept for one week, since its campaign may come back. */
const UNUSED_ASSET_POLICY = { forgetAfterMs: 7 * DAY_MS, againInMs: DAY_MS };

const ACTIVE_OR_PAUSED = { status: { in: ['active', 'paused'] } };

/**
 * Fetches the assets that are due and that a campaign names. Assets that no campaign names any more are set aside, so
 * that they do not fill each round, and are forgotten one week later. The files of a forgotten asset stay: other assets
 * may use them. Each asset is claimed from its actor first, so that only one of several processes fetches it.
 *
 * For campaigns that an older release saved, the assets are fetched for the first time.
 */
export async function refreshDueAssets(deps: RefreshDeps, nowMs: number): Promise<RefreshResult> {
  const { messenger, store, stop } = deps;
  const counts = { refreshed: 0, failed: 0, setAside: 0, campaigns: 0 };
  const refresh = async ({ url, use }: CreativeUrl, owner: FilesOwner) => {
    if (stop.aborted) return;
    if (!(await isAccepted(messenger.ask(asset, assetId(url), 'claim', { forMs: CLAIM_MS })))) return;
    const failure = await deps.ingest.refresh(url, use, stop, owner);
    counts[failure === null ? 'refreshed' : 'failed'] += 1;
  };
  const older = await campaignsWithoutAssets(store);
  await mapLimit(older, FETCHES_AT_ONCE, async ({ id, urls, owner }) => {
    for (const one of urls) await refresh(one, owner);
    if (stop.aborted) return;
    await messenger.tell(campaign, id, 'index', {});
    counts.campaigns += 1;
  });
  const { documents: due } = await store.query(asset.kind, {
    where: { nextRefreshAt: { lt: new Date(nowMs).toISOString() } },
    orderBy: 'nextRefreshAt',
    limit: BATCH_SIZE,
  });
  await mapLimit(due, FETCHES_AT_ONCE, async ({ id }) => {
    if (stop.aborted) return;
    const wanted = await assetUseOf(store, id);
    if (wanted !== null) await refresh(wanted.url, wanted.owner);
    else if (await isAccepted(messenger.ask(asset, id, 'set-aside', UNUSED_ASSET_POLICY))) counts.setAside += 1;
  });
  const someDone = Object.values(counts).some((count) => count > 0);
  return { ...counts, more: someDone && [older, due].some(({ length }) => length === BATCH_SIZE) };
}

interface UnindexedCampaign {
  readonly id: string;
  /** The URLs that have no asset yet. */
  readonly urls: readonly CreativeUrl[];
  readonly owner: FilesOwner;
}

async function campaignsWithoutAssets(store: RefreshDeps['store']): Promise<UnindexedCampaign[]> {
  const where = { ...ACTIVE_OR_PAUSED, assetIds: null };
  const { documents } = await store.query(campaign.kind, { where, limit: BATCH_SIZE });
  return Promise.all(
    documents.map(async ({ id, state }) => {
      const { campaign: document } = state as CampaignState;
      const urls = document === null ? [] : creativeUrls(document);
      const assets = await store.load(urls.map(({ url }) => ({ kind: asset.kind, id: assetId(url) })));
      const owner = await ownerOf(store, state as CampaignState);
      return { id, urls: urls.filter((_, index) => !assets[index]?.state), owner };
    }),
  );
}

interface AssetUse {
  readonly url: CreativeUrl;
  /** The owner of one of the campaigns that name the URL. */
  readonly owner: FilesOwner;
}

/**
 * The URL of an asset and its use, by a campaign that may bid now or again later; null when there is no such campaign.
 */
async function assetUseOf(store: RefreshDeps['store'], id: string): Promise<AssetUse | null> {
  const { documents } = await store.query(campaign.kind, { where: { ...ACTIVE_OR_PAUSED, assetIds: id }, limit: 1 });
  const state = documents[0]?.state as CampaignState | undefined;
  const document = state?.campaign ?? null;
  if (state === undefined || document === null) return null;
  const url = creativeUrls(document).find((one) => assetId(one.url) === id);
  return url === undefined ? null : { url, owner: await ownerOf(store, state) };
}

/** A campaign belongs to the environment, live or sandbox, of its demand source. */
async function ownerOf(
  store: RefreshDeps['store'],
  { accountId, dspId }: Pick<CampaignState, 'accountId' | 'dspId'>,
): Promise<FilesOwner> {
  const [document] = await store.load([{ kind: dsp.kind, id: dspId }]);
  return { accountId, sandbox: (document?.state as DspState | null | undefined)?.sandbox ?? false };
}

/** False when the actor refuses with a conflict: the claim is held elsewhere or the moment has passed. */
async function isAccepted(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof Rejected && error.code === 'CONFLICT') return false;
    throw error;
  }
}
