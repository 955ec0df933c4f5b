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

/** A URL that leads to nothing that can be served. */
export interface RejectedUrl {
  readonly url: string;
  /** Where it stands in the document; the first place of several. */
  readonly field: string;
  /** Whether the specification forbids what it leads to; else the fetch failed, and may succeed another time. */
  readonly refused: boolean;
  /** A sentence without its subject. */
  readonly message: string;
}

export interface IngestDeps {
  readonly hosting: Omit<HostingDeps, 'room'>;
  readonly room: Pick<FileQuota, 'keep'>;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load'>;
}

/** Assets that are read from the store at a time. */
const READ_AT_ONCE = 200;
/** Whose turns those fetches are that no account asked for. */
const NO_ACCOUNT = '';

/** Who has a URL fetched: whose turn it is, and whose files they are counted as. */
interface FetchRequester {
  readonly queueKey: string;
  readonly owner: FilesOwner | null;
}

/** Brings what creatives are made of into the exchange: each URL is followed, what it leads to hosted here, and its asset told. */
export class CreativeIngest {
  readonly #parts: IngestDeps;
  /** Two who save the same URL at the same moment wait for one fetch. */
  readonly #fetches = new SingleFlight<number | RejectedUrl>();
  /** By account: one that saves a hundred documents at once takes no more connections than one that saves one. */
  readonly #fetchSlots: Semaphore;
  /** By account, too: files that hold the prober up hold up nobody else's but one at a time. */
  readonly #probes = new Semaphore(1);

  /** By account: characters of contents, whether its document was saved in the end or not, and bytes of files. */
  readonly #contents: DailyAllowance;
  readonly #files: DailyAllowance;

  constructor(parts: IngestDeps) {
    this.#parts = parts;
    const { settings, clock } = parts.hosting;
    this.#fetchSlots = new Semaphore(settings.loadsAtOnce);
    this.#contents = new DailyAllowance(settings.maxContentCharactersPerDay, clock);
    this.#files = new DailyAllowance(settings.maxFileBytesPerDay, clock);
  }

  /**
   * Resolves when all URLs have assets, those fetched lately without a fetch, with what could not be taken, in the order
   * given. A fetch that fails where an earlier one has led to something good is no failure: that goes on serving. What was
   * taken stays taken, so that asking again goes on where a failure stopped.
   * @throws CreativeStorageUnavailable, and what a messenger and a store throw
   */
  async take(urls: readonly CreativeUrl[], owner: FilesOwner): Promise<RejectedUrl[]> {
    const { wanted, fresh } = await this.#sorted(urls);
    const { settings, clock } = this.#parts.hosting;
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
        const taken = await this.#once(one, { queueKey: owner.accountId, owner }, limit.signal);
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
   * Fetches what one URL leads to now. Null: its asset has it; else the last good content stays, and the asset is told why, unless
   * `stop` gave it up. `owner`: of a campaign that names it.
   */
  async refresh(
    url: string,
    use: CreativeUse,
    stop: AbortSignal,
    owner: FilesOwner | null = null,
  ): Promise<RejectedUrl | null> {
    const { settings, clock } = this.#parts.hosting;
    const limit = new FetchLimit(clock, settings.saveMs, 'arrive with all that it is made of', stop);
    try {
      const taken = await this.#once({ url, use, field: '' }, { queueKey: NO_ACCOUNT, owner }, limit.signal);
      if (typeof taken === 'number') return null;
      if (!stop.aborted) await this.#noteFailure(taken);
      return taken;
    } finally {
      limit.end();
    }
  }

  /** Each once: those to be fetched, and those whose assets hold, for the same use, what was fetched lately, with its length. */
  async #sorted(urls: readonly CreativeUrl[]): Promise<{ wanted: PendingUrl[]; fresh: [CreativeUrl, number][] }> {
    const first = new Map<string, CreativeUrl>();
    for (const one of urls) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
    const each = [...first.values()];
    const nowMs = this.#parts.hosting.clock.now();
    const wanted: PendingUrl[] = [];
    const fresh: [CreativeUrl, number][] = [];
    for (let from = 0; from < each.length; from += READ_AT_ONCE) {
      const some = each.slice(from, from + READ_AT_ONCE);
      const documents = await this.#parts.store.load(some.map(({ url }) => ({ kind: asset.kind, id: assetId(url) })));
      for (const [index, one] of some.entries()) {
        const state = (documents[index]?.state ?? null) as AssetState | null;
        const known = state?.kind === one.use;
        if (state === null || !known || isDue(state, nowMs)) wanted.push({ ...one, known });
        else fresh.push([one, state.content.length]);
      }
    }
    return { wanted, fresh };
  }

  /** How long the asset's content is. */
  #once(one: CreativeUrl, fetching: FetchRequester, stop: AbortSignal): Promise<number | RejectedUrl> {
    return this.#fetches.run(() => this.#fetch(one, fetching, stop), keyOf(one));
  }

  async #fetch(
    { url, field, use }: CreativeUrl,
    { queueKey: accountId, owner }: FetchRequester,
    stop: AbortSignal,
  ): Promise<number | RejectedUrl> {
    const { hosting, messenger, room } = this.#parts;
    const ownRoom = { keep: (file: NeededFile) => room.keep(file, owner) };
    const freshForMs = hosting.settings.refreshMs;
    try {
      const { content, facts } = await this.#fetchSlots.run(
        async () => {
          if (accountId !== NO_ACCOUNT && (this.#contents.isUsedUp(accountId) || this.#files.isUsedUp(accountId))) {
            throw new FetchFailed('was not fetched: the account has had as much fetched today as it may');
          }
          return loadCreative({ ...hosting, room: ownRoom, prober: this.#proberFor(accountId) }, url, use, stop);
        },
        { key: accountId, signal: stop },
      );
      const json = JSON.stringify(content);
      this.#contents.use(accountId, json.length);
      this.#files.use(
        accountId,
        facts.reduce((sum, { bytes }) => sum + bytes, 0),
      );
      if (!fitsIntoAsset(json)) throw new CreativeRefused('leads to an ad whose document is too large');
      await messenger.ask(asset, assetId(url), 'store', { url, content: json, facts: [...facts], freshForMs });
      return json.length;
    } catch (error) {
      if (error instanceof CreativeRefused) return { url, field, refused: true, message: error.message };
      if (error instanceof FetchFailed) return { url, field, refused: false, message: error.message };
      throw error;
    }
  }

  #proberFor(accountId: string): HostingDeps['prober'] {
    const { prober } = this.#parts.hosting;
    return {
      probe: (path, signal) => this.#probes.run(() => prober.probe(path, signal), { key: accountId, signal }),
    };
  }

  async #noteFailure({ url, message }: RejectedUrl): Promise<void> {
    const { hosting, messenger } = this.#parts;
    const body = { url, reason: message, freshForMs: hosting.settings.refreshMs };
    await messenger.ask(asset, assetId(url), 'fail', body);
  }
}

/** `known`: an earlier fetch has led to something good. */
type PendingUrl = CreativeUrl & { readonly known: boolean };

function contentLimitFailure({ url, field }: CreativeUrl, most: number): RejectedUrl {
  const message = `leads to an ad that brings the documents of all ads to more than ${Math.floor(most / 1_000_000)} MB`;
  return { url, field, refused: true, message };
}

function keyOf({ url, use }: CreativeUrl): string {
  return `${use} ${url}`;
}
