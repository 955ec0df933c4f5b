import { asset } from '../../actors/asset/asset.ts';
import type { AssetState } from '../../actors/asset/reduce.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../actors/campaign/reduce.ts';
import { creative } from '../../actors/creative/creative.ts';
import type { CreativeState } from '../../actors/creative/reduce.ts';
import { creativeDisk, creativeDiskId } from '../../actors/creative-disk/creative-disk.ts';
import { type CreativeDiskState, emptyCreativeDisk } from '../../actors/creative-disk/reduce.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import type { DspState } from '../../actors/dsp/reduce.ts';
import { filesQuotaId, quota } from '../../actors/quota/quota.ts';
import type { QuotaEntry, QuotaState } from '../../actors/quota/reduce.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { holderOfFile } from './quota/file-quota.ts';
import type { CreativeStorage } from './storage/creative-storage.ts';

export interface CollectDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'scan'>;
  readonly storage: Pick<CreativeStorage, 'list' | 'remove'>;
  readonly clock: Clock;
  /**
   * A file is deleted after this many ms without a reference: longer than an ad that was sold may be shown and played.
   */
  readonly afterMs: number;
}

export interface CollectionResult {
  readonly files: number;
  readonly bytes: number;
  /** Number of files that stay in the storage. */
  readonly filesLeft: number;
  /** Length of those files in bytes. */
  readonly bytesLeft: number;
}

/** Two days: an ad that was sold is shown within one day at most (RENDER_WINDOW_SECONDS), and may then play. */
export const COLLECT_AFTER_MS = 2 * 86_400_000;
const BATCH_SIZE = 500;
const HOSTED = /\/creative\/([0-9a-f]{64})/g;

/**
 * Deletes the files that no asset and no creative of a bidder refers to any more. An asset refers to the files of its
 * content, and is kept for one week after the last campaign that named it. Files that its content no longer names, and
 * files that a failed save has left, are deleted sooner. A file that is needed again during the collection stays: the
 * actor `creative-disk` decides, and each process asks it before it relies on a file.
 *
 * The file quota of each account is recounted from the assets of its campaigns.
 */
export async function collectFiles(deps: CollectDeps, signal: AbortSignal): Promise<CollectionResult> {
  const { messenger, storage, clock } = deps;
  const fromMs = clock.now();
  const sizes = new Map<string, number>();
  let total = 0;
  for await (const { sha256, bytes } of storage.list()) {
    signal.throwIfAborted();
    sizes.set(sha256, bytes);
    total += bytes;
  }
  await messenger.ask(creativeDisk, creativeDiskId, 'measured', { bytes: total, fromMs });

  // Assets and creatives are scanned after the files are listed. A file that is stored and referred to in between is
  // not in the list, and no reference to a listed file is missed.
  const filesOfAsset = new Map<string, readonly string[]>();
  const referred = new Set<string>();
  for await (const { id, deleted, state } of deps.store.scan(asset.kind)) {
    signal.throwIfAborted();
    if (deleted) continue;
    const files = [...(state as AssetState).content.matchAll(HOSTED)].map(([, sha256]) => sha256!);
    filesOfAsset.set(id, files);
    for (const sha256 of files) referred.add(sha256);
  }
  for await (const { state } of deps.store.scan(creative.kind)) {
    signal.throwIfAborted();
    for (const sha256 of filesOfCreative(state as CreativeState | null)) referred.add(sha256);
  }
  await reportReferences(
    deps,
    [...sizes.keys()].filter((sha256) => !referred.has(sha256)),
    referred,
  );
  const removed = await removeUnreferenced(deps, sizes, signal);
  await recountQuotas(deps, { filesOfAsset, sizes }, signal);
  const { files, bytes } = removed;
  return { files, bytes, filesLeft: sizes.size - files, bytesLeft: total - bytes };
}

/** The files of a creative that a bidder has brought: its hosted markup, the media in it, a screenshot. */
function filesOfCreative(state: CreativeState | null): readonly string[] {
  if (state === null) return [];
  const { hosting, scan } = state;
  return [hosting.file, ...hosting.files, scan.report?.screenshot].filter((one) => typeof one === 'string');
}

async function reportReferences(
  { messenger, store }: CollectDeps,
  unreferenced: readonly string[],
  referred: ReadonlySet<string>,
): Promise<void> {
  const before = await loadDisk(store);
  const referenced = Object.keys(before.unreferenced).filter((sha256) => referred.has(sha256));
  const fresh = unreferenced.filter((sha256) => before.unreferenced[sha256] === undefined);
  for (let at = 0; at < Math.max(fresh.length, referenced.length, 1); at += BATCH_SIZE) {
    await messenger.ask(creativeDisk, creativeDiskId, 'looked', {
      unreferenced: fresh.slice(at, at + BATCH_SIZE),
      referenced: referenced.slice(at, at + BATCH_SIZE),
    });
  }
}

async function removeUnreferenced(
  { messenger, store, storage, afterMs }: CollectDeps,
  sizes: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  const { unreferenced, collecting } = await loadDisk(store);
  const done = { files: 0, bytes: 0 };
  const remove = async (files: readonly string[]) => {
    let bytes = 0;
    for (const sha256 of files) {
      await storage.remove(sha256);
      bytes += sizes.get(sha256) ?? 0;
    }
    await messenger.ask(creativeDisk, creativeDiskId, 'collected', { files: [...files], bytes });
    done.files += files.length;
    done.bytes += bytes;
  };
  // A process that died half-way left these files. No process has been allowed to rely on them since.
  if (Object.keys(collecting).length > 0) await remove(Object.keys(collecting));
  const candidates = Object.keys(unreferenced);
  for (let at = 0; at < candidates.length; at += BATCH_SIZE) {
    signal.throwIfAborted();
    const body = { files: candidates.slice(at, at + BATCH_SIZE), afterMs };
    const ripe = await messenger.ask(creativeDisk, creativeDiskId, 'collect', body);
    if (ripe.length > 0) await remove(ripe);
  }
  return done;
}

interface FileInventory {
  readonly filesOfAsset: ReadonlyMap<string, readonly string[]>;
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * Reports to the quota of each account which files its campaigns use. A file that they no longer use stops counting
 * once it is deleted, and at the latest `afterMs` after the account last needed it: otherwise an account could fill the
 * storage with files that it no longer uses and that are not deleted yet.
 */
async function recountQuotas(
  deps: CollectDeps,
  { filesOfAsset, sizes }: FileInventory,
  signal: AbortSignal,
): Promise<void> {
  const { store, messenger, clock, afterMs } = deps;
  const isSandbox = new Map<string, boolean>();
  for await (const { id, state } of store.scan(dsp.kind)) {
    if (state !== null) isSandbox.set(id, (state as DspState).sandbox);
  }
  const used = new Map<string, Map<string, number>>();
  for await (const { state } of store.scan(campaign.kind)) {
    signal.throwIfAborted();
    const { accountId, dspId, assetIds = [], retired } = (state ?? {}) as Partial<CampaignState>;
    if (accountId === undefined || accountId === '' || retired) continue;
    const id = filesQuotaId(accountId, isSandbox.get(dspId!) ?? false);
    const files = used.get(id) ?? new Map<string, number>();
    used.set(id, files);
    for (const assetId of assetIds) {
      for (const sha256 of filesOfAsset.get(assetId) ?? []) files.set(holderOfFile(sha256), sizes.get(sha256) ?? 0);
    }
  }
  const quotas = new Map<string, QuotaState>();
  for await (const { id, state } of store.scan(quota.kind)) {
    if (state !== null && id.endsWith(FILES_QUOTA_SUFFIX)) quotas.set(id, state as QuotaState);
  }
  const atS = Math.floor(clock.now() / 1000);
  const stored = new Set([...sizes.keys()].map(holderOfFile));
  const isPast = ([, , neededS]: QuotaEntry) => neededS + afterMs / 1000 <= atS;
  for (const id of new Set([...used.keys(), ...quotas.keys()])) {
    signal.throwIfAborted();
    const files = used.get(id) ?? new Map<string, number>();
    const present: Record<string, QuotaEntry> = {};
    const { entries = {} } = quotas.get(id) ?? {};
    for (const [holder, bytes] of files) if (entries[holder] === undefined) present[holder] = [bytes, 1, atS];
    const gone = Object.fromEntries(
      Object.entries(entries).filter(([holder, entry]) => !files.has(holder) && (!stored.has(holder) || isPast(entry))),
    );
    if (Object.keys(present).length === 0 && Object.keys(gone).length === 0) continue;
    await messenger.ask(quota, id, 'recount', { present, gone, last: { archived: 0 } });
  }
}

const FILES_QUOTA_SUFFIX = ':creative_files';

async function loadDisk(store: CollectDeps['store']): Promise<CreativeDiskState> {
  const [document] = await store.load([{ kind: creativeDisk.kind, id: creativeDiskId }]);
  return (document?.state as CreativeDiskState | null | undefined) ?? emptyCreativeDisk;
}
