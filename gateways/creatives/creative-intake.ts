import { asset } from '../../actors/asset/asset.ts';
import { assetId } from '../../actors/asset/asset-id.ts';
import { type AssetState, fitsIntoAsset, isDue } from '../../actors/asset/reduce.ts';
import type { CreativeUrl } from '../../exchange/creative/creative-urls.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import { everyOne } from '../every-one.ts';
import { CreativeRefused, FetchFailed } from './fetch/failures.ts';
import { TimeLimit } from './fetch/time-limit.ts';
import type { HostingParts } from './host-file.ts';
import { type CreativeUse, loadCreative } from './load-creative.ts';
import { Turns } from './turns.ts';

/** A URL that leads to nothing that can be served. */
export interface NotTaken {
  readonly url: string;
  /** Where it stands in the document; the first place of several. */
  readonly field: string;
  /** Whether the specification forbids what it leads to; else the fetch failed, and may succeed another time. */
  readonly refused: boolean;
  /** A sentence without its subject. */
  readonly message: string;
}

export interface IntakeParts {
  readonly hosting: HostingParts;
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load'>;
}

/** Assets that are read from the store at a time. */
const READ_AT_ONCE = 200;
/** Whose turns those fetches are that no account asked for. */
const OWN = '';

/** Brings what creatives are made of into the exchange: each URL is followed, what it leads to hosted here, and its asset told. */
export class CreativeIntake {
  readonly #parts: IntakeParts;
  /** Two who save the same URL at the same moment wait for one fetch. */
  readonly #underWay = new Map<string, Promise<NotTaken | null>>();
  /** By account: one that saves a hundred documents at once takes no more connections than one that saves one. */
  readonly #turns: Turns;
  /** By account, too: files that hold the prober up hold up nobody else's but one at a time. */
  readonly #probes = new Turns(1);

  constructor(parts: IntakeParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.hosting.settings.loadsAtOnce);
  }

  /**
   * Resolves when all URLs have assets, those fetched lately without a fetch, with what could not be taken, in the order
   * given. A fetch that fails where an earlier one has led to something good is no failure: that goes on serving. What was
   * taken stays taken, so that asking again goes on where a failure stopped.
   * @throws CreativeStorageUnavailable, and what a messenger and a store throw
   */
  async take(urls: readonly CreativeUrl[], accountId: string): Promise<NotTaken[]> {
    const wanted = await this.#notFresh(urls);
    const { settings, clock } = this.#parts.hosting;
    const limit = new TimeLimit(clock, settings.saveMs, 'come to its turn, of all that was to be fetched,');
    const failures = new Map<Wanted, NotTaken>();
    try {
      await everyOne(wanted, settings.loadsAtOnce, async (one) => {
        const failure = await this.#once(one, accountId, limit.signal);
        if (failure === null) return;
        if (!failure.refused && one.known) await this.#noteFailure(failure);
        else failures.set(one, { ...failure, field: one.field });
      });
    } finally {
      limit.end();
    }
    return wanted.flatMap((one) => failures.get(one) ?? []);
  }

  /**
   * Fetches what one URL leads to now. Null: its asset has it; else the last good content stays, and the asset is told why, unless
   * `stop` gave it up.
   */
  async refresh(url: string, use: CreativeUse, stop: AbortSignal): Promise<NotTaken | null> {
    const { settings, clock } = this.#parts.hosting;
    const limit = new TimeLimit(clock, settings.saveMs, 'arrive with all that it is made of', stop);
    try {
      const failure = await this.#once({ url, use, field: '' }, OWN, limit.signal);
      if (failure !== null && !stop.aborted) await this.#noteFailure(failure);
      return failure;
    } finally {
      limit.end();
    }
  }

  /** Each once, without those whose assets hold, for the same use, what was fetched lately. */
  async #notFresh(urls: readonly CreativeUrl[]): Promise<Wanted[]> {
    const first = new Map<string, CreativeUrl>();
    for (const one of urls) if (!first.has(keyOf(one))) first.set(keyOf(one), one);
    const each = [...first.values()];
    const nowMs = this.#parts.hosting.clock.now();
    const wanted: Wanted[] = [];
    for (let from = 0; from < each.length; from += READ_AT_ONCE) {
      const some = each.slice(from, from + READ_AT_ONCE);
      const documents = await this.#parts.store.load(some.map(({ url }) => ({ kind: asset.kind, id: assetId(url) })));
      for (const [index, one] of some.entries()) {
        const state = (documents[index]?.state ?? null) as AssetState | null;
        const known = state?.kind === one.use;
        if (state === null || !known || isDue(state, nowMs)) wanted.push({ ...one, known });
      }
    }
    return wanted;
  }

  #once(one: CreativeUrl, accountId: string, stop: AbortSignal): Promise<NotTaken | null> {
    const key = keyOf(one);
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const taking = this.#fetch(one, accountId, stop).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, taking);
    return taking;
  }

  async #fetch({ url, field, use }: CreativeUrl, accountId: string, stop: AbortSignal): Promise<NotTaken | null> {
    const { hosting, messenger } = this.#parts;
    const freshForMs = hosting.settings.refreshMs;
    try {
      const { content, facts } = await this.#turns.take(accountId, stop, () =>
        loadCreative({ ...hosting, prober: this.#proberFor(accountId) }, url, use, stop),
      );
      const json = JSON.stringify(content);
      if (!fitsIntoAsset(json)) throw new CreativeRefused('leads to an ad whose document is too large');
      await messenger.ask(asset, assetId(url), 'store', { url, content: json, facts: [...facts], freshForMs });
      return null;
    } catch (error) {
      if (error instanceof CreativeRefused) return { url, field, refused: true, message: error.message };
      if (error instanceof FetchFailed) return { url, field, refused: false, message: error.message };
      throw error;
    }
  }

  #proberFor(accountId: string): HostingParts['prober'] {
    const { prober } = this.#parts.hosting;
    return {
      probe: (path, signal) => this.#probes.take(accountId, signal, () => prober.probe(path, signal)),
    };
  }

  async #noteFailure({ url, message }: NotTaken): Promise<void> {
    const { hosting, messenger } = this.#parts;
    const body = { url, reason: message, freshForMs: hosting.settings.refreshMs };
    await messenger.ask(asset, assetId(url), 'fail', body);
  }
}

/** `known`: an earlier fetch has led to something good. */
type Wanted = CreativeUrl & { readonly known: boolean };

function keyOf({ url, use }: CreativeUrl): string {
  return `${use} ${url}`;
}
