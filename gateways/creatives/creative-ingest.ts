import { asset } from '../../actors/asset/asset.ts';
import { assetId } from '../../actors/asset/asset-id.ts';
import { type AssetState, fitsIntoAsset, isDue } from '../../actors/asset/reduce.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { SingleFlight } from '../../async/single-flight.ts';
import type { CreativeUrl } from '../../exchange/creative/creative-urls.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { DailyAllowance } from './daily-allowance.ts';
import { CreativeRefused, FetchFailed } from './fetch/failures.ts';
import { FetchLimit } from './fetch/fetch-limit.ts';
import type { HostingDeps } from './host-file.ts';
import { type CreativeUse, loadCreative } from './load-creative.ts';
import type { FileQuota, FilesOwner, NeededFile } from './quota/file-quota.ts';

/** A URL of a creative that leads to nothing the exchange can serve. */
export interface RejectedUrl {
  readonly url: string;
  /** The field of the document that holds the URL; the first one when several do. */
  readonly field: string;
  /** True when the specification forbids what the URL leads to; false when the fetch failed and may succeed later. */
  readonly refused: boolean;
  /** The reason as a sentence without its subject: `leads through more than 3 domains`. */
  readonly message: string;
}

export interface IngestDeps {
  readonly hosting: Omit<HostingDeps, 'room'>;
  readonly room: Pick<FileQuota, 'keep'>;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load'>;
}

/** Assets that one read of the store asks for at most. */
const READ_AT_ONCE = 200;
/** The queue key of fetches that no account asked for. */
const NO_ACCOUNT = '';

interface FetchRequester {
  /** The account that saves the document, whose daily allowances the fetch uses; null for a refresh by the exchange. */
  readonly accountId: string | null;
  /** The account whose quota counts the files. */
  readonly owner: FilesOwner | null;
}

/**
 * Ingests the content of creatives: follows each URL, hosts the files that it leads to, and stores the content in its
 * asset.
 */
export class CreativeIngest {
  readonly #deps: IngestDeps;
  /** Saves of the same URL at the same moment share one fetch. */
  readonly #fetches = new SingleFlight<number | RejectedUrl>();
  /** Fetches in flight per account: an account that saves 100 documents at once has no more than one that saves one. */
  readonly #fetchSlots: Semaphore;
  /** One probe at a time per account: a file that is slow to probe delays other accounts by one probe at most. */
  readonly #probes = new Semaphore(1);

  /** Daily allowance of each account in characters of content; contents of documents that were not saved count, too. */
  readonly #contents: DailyAllowance;
  /** Daily allowance of each account in bytes of files; files of ads that were refused count, too. */
  readonly #files: DailyAllowance;

  constructor(deps: IngestDeps) {
    this.#deps = deps;
    const { settings, clock } = deps.hosting;
    this.#fetchSlots = new Semaphore(settings.loadsAtOnce);
    this.#contents = new DailyAllowance(settings.maxContentCharactersPerDay, clock);
    this.#files = new DailyAllowance(settings.maxFileBytesPerDay, clock);
  }

  /**
   * Fetches all URLs into assets and resolves with those that were rejected, in the order given. A URL that was fetched
   * lately is not fetched again. A failed fetch rejects no URL whose earlier fetch had a good result: that content
   * continues to serve. Assets stay stored when another URL is rejected, so a retry continues where a failure stopped.
   * @throws CreativeStorageUnavailable, and the errors of the messenger and the store
   */
  async take(urls: readonly CreativeUrl[], owner: FilesOwner): Promise<RejectedUrl[]> {
    const { wanted, fresh } = await this.#splitByFreshness(urls);
    const { settings, clock } = this.#deps.hosting;
    const limit = new FetchLimit(clock, settings.saveMs, 'come to its turn, of all that was to be fetched,');
    const failures = new Map<string, RejectedUrl>();
    let characters = 0;
    const count = (one: CreativeUrl, of: number) => {
      characters += of;
      if (characters > settings.maxContentCharacters) {
        failures.set(keyOf(one), contentLimitFailure(one, settings.maxContentCharacters));
      }
    };
    for (const [one, of] of fresh) count(one, of);
    try {
      await mapLimit(wanted, settings.loadsAtOnce, async (one) => {
        if (characters > settings.maxContentCharacters) return count(one, 0);
        const taken = await this.#fetchOnce(one, { accountId: owner.accountId, owner }, limit.signal);
        if (typeof taken === 'number') count(one, taken);
        else if (!taken.refused && one.known) await this.#noteFailure(taken);
        else failures.set(keyOf(one), { ...taken, field: one.field });
      });
    } finally {
      limit.end();
    }
    return urls.flatMap((one) => {
      const failure = failures.get(keyOf(one));
      failures.delete(keyOf(one));
      return failure ?? [];
    });
  }

  /**
   * Fetches one URL again. Null: the asset has the new content. Otherwise the last good content stays and the asset
   * stores the reason, unless `stop` aborted the fetch. `owner` is the owner of a campaign that names the URL.
   */
  async refresh(
    url: string,
    use: CreativeUse,
    stop: AbortSignal,
    owner: FilesOwner | null = null,
  ): Promise<RejectedUrl | null> {
    const { settings, clock } = this.#deps.hosting;
    const limit = new FetchLimit(clock, settings.saveMs, 'arrive with all that it is made of', stop);
    try {
      const taken = await this.#fetchOnce({ url, use, field: '' }, { accountId: null, owner }, limit.signal);
      if (typeof taken === 'number') return null;
      if (!stop.aborted) await this.#noteFailure(taken);
      return taken;
    } finally {
      limit.end();
    }
  }

  /**
   * Splits the URLs, each once, into those to fetch and those whose assets hold a recent content for the same use, with
   * the length of that content in characters.
   */
  async #splitByFreshness(
    urls: readonly CreativeUrl[],
  ): Promise<{ wanted: PendingUrl[]; fresh: [CreativeUrl, number][] }> {
    const first = new Map<string, CreativeUrl>();
    for (const one of urls) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
    const each = [...first.values()];
    const nowMs = this.#deps.hosting.clock.now();
    const wanted: PendingUrl[] = [];
    const fresh: [CreativeUrl, number][] = [];
    for (let from = 0; from < each.length; from += READ_AT_ONCE) {
      const some = each.slice(from, from + READ_AT_ONCE);
      const documents = await this.#deps.store.load(some.map(({ url }) => ({ kind: asset.kind, id: assetId(url) })));
      for (const [index, one] of some.entries()) {
        const state = (documents[index]?.state ?? null) as AssetState | null;
        const known = state?.kind === one.use;
        if (state === null || !known || isDue(state, nowMs)) wanted.push({ ...one, known });
        else fresh.push([one, state.content.length]);
      }
    }
    return { wanted, fresh };
  }

  /** Resolves with the length of the asset's content in characters. */
  #fetchOnce(one: CreativeUrl, fetching: FetchRequester, stop: AbortSignal): Promise<number | RejectedUrl> {
    return this.#fetches.run(() => this.#fetch(one, fetching, stop), keyOf(one));
  }

  async #fetch(
    { url, field, use }: CreativeUrl,
    { accountId, owner }: FetchRequester,
    stop: AbortSignal,
  ): Promise<number | RejectedUrl> {
    const { hosting, messenger, room } = this.#deps;
    const ownRoom = {
      keep: async (file: NeededFile) => {
        await room.keep(file, owner);
        // A kept file is on the disk from here on, also when the rest of its ad is refused.
        if (accountId !== null) this.#files.use(accountId, file.bytes);
      },
    };
    const freshForMs = hosting.settings.refreshMs;
    const queueKey = accountId ?? NO_ACCOUNT;
    try {
      const { content, facts } = await this.#fetchSlots.run(
        async () => {
          if (accountId !== null && this.#isAllowanceUsedUp(accountId)) {
            throw new FetchFailed('was not fetched: the account has had as much fetched today as it may');
          }
          return loadCreative({ ...hosting, room: ownRoom, prober: this.#proberFor(queueKey) }, url, use, stop);
        },
        { key: queueKey, signal: stop },
      );
      const json = JSON.stringify(content);
      if (accountId !== null) this.#contents.use(accountId, json.length);
      if (!fitsIntoAsset(json)) throw new CreativeRefused('leads to an ad whose document is too large');
      await messenger.ask(asset, assetId(url), 'store', { url, content: json, facts: [...facts], freshForMs });
      return json.length;
    } catch (error) {
      if (error instanceof CreativeRefused) return { url, field, refused: true, message: error.message };
      if (error instanceof FetchFailed) return { url, field, refused: false, message: error.message };
      throw error;
    }
  }

  #isAllowanceUsedUp(accountId: string): boolean {
    return this.#contents.isUsedUp(accountId) || this.#files.isUsedUp(accountId);
  }

  #proberFor(queueKey: string): HostingDeps['prober'] {
    const { prober } = this.#deps.hosting;
    return {
      probe: (path, signal) => this.#probes.run(() => prober.probe(path, signal), { key: queueKey, signal }),
    };
  }

  async #noteFailure({ url, message }: RejectedUrl): Promise<void> {
    const { hosting, messenger } = this.#deps;
    const body = { url, reason: message, freshForMs: hosting.settings.refreshMs };
    await messenger.ask(asset, assetId(url), 'fail', body);
  }
}

/** `known`: an earlier fetch had a good result. */
type PendingUrl = CreativeUrl & { readonly known: boolean };

function contentLimitFailure({ url, field }: CreativeUrl, most: number): RejectedUrl {
  const message = `leads to an ad that brings the documents of all ads to more than ${Math.floor(most / 1_000_000)} MB`;
  return { url, field, refused: true, message };
}

function keyOf({ url, use }: CreativeUrl): string {
  return `${use} ${url}`;
}
