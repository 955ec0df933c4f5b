import { LRUCache } from 'lru-cache';
import { creative } from '../../actors/creative/creative.ts';
import { DYNAMIC_FINGERPRINT } from '../../actors/creative/dynamic-fingerprint.ts';
import { MAX_KEPT_MARKUP } from '../../actors/creative/messages.ts';
import { STABLE_AFTER_SIGHTINGS } from '../../actors/creative/reduce.ts';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { type AdFormat, formatOf } from '../../exchange/auction/ad-format.ts';
import type { LossReason } from '../../exchange/auction/loss-reason.ts';
import { creativeTemplate } from '../../exchange/creative/creative-template.ts';
import type { Bid } from '../../exchange/openrtb/bid-response.ts';
import { Overloaded } from '../../runtime/actor/errors.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { HeldAuction } from '../auction/held-auction.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { BidderOffer } from '../demand-part.ts';
import type { CreativeCatalogue } from './creative-catalogue.ts';
import { creativeId } from './creative-id.ts';
import type { CreativeIdentifier } from './identify-creative.ts';
import { NewCreatives } from './new-creatives.ts';
import type { SeenBid } from './seen-bid.ts';
import { Sighting, sightingKey } from './sighting.ts';

const FLUSH_EVERY_MS = 1_000;
/** A creative that goes on being sold is told of once in this time. */
const TELL_AGAIN_MS = 60_000;
const TELLS_PER_FLUSH = 200;
const TELLS_AT_ONCE = 16;

/** `crid`s that are remembered; of one that was forgotten, markup is looked at as if it were new. */
const MOST_CRIDS = 20_000;
/** Creatives whose counts wait to be told; those of further ones are dropped. */
const MOST_SIGHTINGS = 20_000;
/**
 * Characters of markup that wait to be told; beyond them a creative is told without its markup, until it is seen again.
 */
const MOST_MARKUP = 32_000_000;

/** The first sales under a `crid` are looked at one by one, later ones one in so many. */
const FIRST_SAMPLES = 16;
const SAMPLE_ONE_IN = 16;
/** So many different templates among the first samples are no versions of one creative. */
const DYNAMIC_AFTER_TEMPLATES = 12;

/** What this edge remembers of a `crid`. */
interface TrackedCrid {
  samples: number;
  /** Wins since the last one that was looked at. */
  passed: number;
  /** The creative that was last seen under it. */
  current: Sighting | null;
  /** Keys of the different creatives that the first samples were; empty once that is decided. */
  readonly different: Set<string>;
  isDynamic: boolean;
}

export interface SightingsDeps {
  readonly catalogue: CreativeCatalogue;
  readonly identifier: CreativeIdentifier;
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** New creatives of one demand source in a day at most; of more, no page is made. */
  readonly newPerDay: number;
  readonly dsp: (id: string) => DspProjection | undefined;
}

/** The losses after which a creative waits for people's decision, or has had it. */
const REFUSALS: ReadonlySet<LossReason> = new Set(['creative-blocked', 'creative-not-approved']);

/**
 * Which creatives this edge sells, and which it would have sold had they been approved. Each creative's counts are told
 * to its actor at once when it is new, and once a minute after that. Markup is looked at for new creatives and for a
 * sample of the others: a sale in between counts for the creative that its `crid` last was. An edge that dies loses
 * what it had not told, as with all facts; no invoice uses these figures.
 */
export class CreativeSightings {
  readonly #deps: SightingsDeps;
  readonly #crids = new LRUCache<string, TrackedCrid>({ max: MOST_CRIDS });
  /** By {@link sightingKey}. */
  readonly #sightings = new Map<string, Sighting>();
  readonly #newCreatives: NewCreatives;
  /** Characters of the markup that waits to be told. */
  #markup = 0;
  #dropped = 0;
  #cancelTimer: (() => void) | null = null;
  #flushing: Promise<void> | null = null;

  constructor(deps: SightingsDeps) {
    this.#deps = deps;
    this.#newCreatives = new NewCreatives(deps.clock, deps.newPerDay);
  }

  /** Sales and refusals that no creative was told of, because there were too many creatives. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Creatives whose counts wait to be told. */
  get waiting(): number {
    return this.#sightings.size;
  }

  /** Takes note of the creatives of an auction that was held. */
  add(context: AuctionContext, offers: readonly BidderOffer[], { result, delegates }: HeldAuction): void {
    const { request, sandbox, publisher } = context;
    const seen = (dspId: string, bid: Bid, format: AdFormat | null, isWin: boolean) => {
      const responseId = offers.find((offer) => offer.dspId === dspId)?.bidId ?? null;
      const shown = delegates.creatives.get(bid) ?? null;
      const offered = { bid, auctionId: request.id, responseId };
      this.#add({ dspId, offered, shown, sandbox, publisherId: publisher.id, format, isWin });
    };
    for (const { win } of result.sold) seen(win.dspId, win.bid, win.format, true);
    for (const { dspId, offered, reason } of result.losses) {
      if (!REFUSALS.has(reason) || offered === null) continue;
      const imp = request.imp.find(({ id }) => id === offered.bid.impid);
      seen(dspId, offered.bid, imp === undefined ? null : formatOf(offered.bid, imp), false);
    }
  }

  start(): void {
    this.#cancelTimer = this.#deps.clock.after(FLUSH_EVERY_MS, () => {
      void this.#flush(false).finally(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  /** Tells everything; never rejects. */
  async flush(): Promise<void> {
    await this.#flushing;
    await this.#flush(true);
  }

  /** Stops the timer and tells what is left. */
  async close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.flush();
  }

  #add(seen: SeenBid): void {
    const { dspId, offered, sandbox, isWin } = seen;
    const name = `${sandbox ? 'sandbox' : 'live'}\n${dspId}\n${offered.bid.crid ?? ''}`;
    let tracked = this.#crids.get(name);
    if (tracked === undefined) {
      tracked = { samples: 0, passed: 0, current: null, different: new Set(), isDynamic: false };
      this.#crids.set(name, tracked);
    }
    const { current } = tracked;
    if (current !== null && tracked.samples >= FIRST_SAMPLES && ++tracked.passed < SAMPLE_ONE_IN) {
      this.#keep(current);
      current.count(isWin);
      return;
    }
    tracked.passed = 0;
    this.#look(tracked, seen);
  }

  /** Looks at the markup of a bid: it tells which creative it is. */
  #look(tracked: TrackedCrid, seen: SeenBid): void {
    const { dspId, offered, shown, sandbox, isWin } = seen;
    const dsp = this.#deps.dsp(dspId);
    if (dsp === undefined) return;
    const { identifier, catalogue } = this.#deps;
    let identity =
      shown === null ? identifier.identify(dsp, offered) : identifier.identifyCampaigns(dspId, shown.creative);
    if (identity === null) return;
    tracked.samples += 1;
    if (tracked.samples <= FIRST_SAMPLES && shown === null && dsp.creatives !== 'stable') {
      tracked.different.add(sightingKey(identity.creativeId, sandbox));
      if (tracked.different.size >= DYNAMIC_AFTER_TEMPLATES) this.#becomeDynamic(tracked, dspId);
      if (tracked.samples === FIRST_SAMPLES) tracked.different.clear();
    }
    if (tracked.isDynamic && identity.fingerprint !== DYNAMIC_FINGERPRINT) {
      const crid = offered.bid.crid ?? '';
      identity = {
        creativeId: creativeId({ dspId, crid, fingerprint: DYNAMIC_FINGERPRINT }),
        fingerprint: DYNAMIC_FINGERPRINT,
      };
    }
    const { current } = tracked;
    const key = sightingKey(identity.creativeId, sandbox);
    let sighting = current?.key === key ? current : this.#sightings.get(key);
    if (sighting === undefined) {
      const isFull = this.#sightings.size >= MOST_SIGHTINGS;
      if (isFull || (!catalogue.has(identity.creativeId) && !this.#newCreatives.take(dspId))) {
        this.#dropped += 1;
        return;
      }
      const { accountId, partnerId, creatives = 'auto' } = dsp;
      const { id: campaignId = null } = shown?.campaign ?? {};
      const { fingerprint } = identity;
      const crid = offered.bid.crid ?? '';
      const told = { dspId, accountId, partnerId, sandbox, campaignId, crid, fingerprint };
      // Other markup under a known crid may be one of many: it is told of when it is seen again, or after a while.
      const nowMs = this.#deps.clock.monotonic();
      const dueMs = current === null || tracked.isDynamic ? nowMs : nowMs + TELL_AGAIN_MS;
      sighting = new Sighting(identity.creativeId, { ...told, declared: creatives }, dueMs);
    }
    if (!this.#keep(sighting)) return;
    tracked.current = sighting;
    sighting.look(seen);
    sighting.count(isWin);
    if (sighting.markup === null && !catalogue.has(identity.creativeId)) this.#keepMarkup(sighting, templateOf(seen));
    // What is seen again is a creative; what is stable is hosted.
    if (sighting.sightings === 2 || sighting.sightings === STABLE_AFTER_SIGHTINGS) sighting.dueMs = 0;
  }

  /** The creatives that were seen under the `crid` are none: what they counted belongs to the one for all of them. */
  #becomeDynamic(tracked: TrackedCrid, dspId: string): void {
    tracked.isDynamic = true;
    for (const key of tracked.different) {
      const sighting = this.#sightings.get(key);
      if (sighting === undefined || sighting.wasTold) continue;
      this.#sightings.delete(key);
      this.#markup -= sighting.markup?.length ?? 0;
      if (!this.#deps.catalogue.has(sighting.id)) this.#newCreatives.giveBack(dspId);
    }
    tracked.different.clear();
  }

  #keepMarkup(sighting: Sighting, markup: string | null): void {
    if (markup === null || this.#markup + markup.length > MOST_MARKUP) return;
    this.#markup += markup.length;
    sighting.markup = markup;
  }

  /** False when there are too many creatives. */
  #keep(sighting: Sighting): boolean {
    if (this.#sightings.has(sighting.key)) return true;
    if (this.#sightings.size >= MOST_SIGHTINGS) {
      this.#dropped += 1;
      return false;
    }
    this.#sightings.set(sighting.key, sighting);
    return true;
  }

  #flush(everything: boolean): Promise<void> {
    this.#flushing ??= this.#tellDue(everything).finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #tellDue(everything: boolean): Promise<void> {
    const nowMs = this.#deps.clock.monotonic();
    const due: Sighting[] = [];
    for (const sighting of this.#sightings.values()) {
      if (!everything && sighting.dueMs > nowMs) continue;
      due.push(sighting);
      if (!everything && due.length === TELLS_PER_FLUSH) break;
    }
    for (const sighting of due) {
      this.#sightings.delete(sighting.key);
    }
    await mapLimit(due, TELLS_AT_ONCE, (sighting) => this.#tell(sighting, nowMs));
  }

  async #tell(sighting: Sighting, nowMs: number): Promise<void> {
    this.#markup -= sighting.markup?.length ?? 0;
    const body = sighting.take();
    sighting.dueMs = nowMs + TELL_AGAIN_MS;
    try {
      await this.#deps.messenger.tell(creative, sighting.id, 'seen', body);
    } catch (error) {
      // Only counts that were certainly not sent may be sent again.
      if (error instanceof Overloaded) {
        sighting.putBack(body);
        this.#markup += sighting.markup?.length ?? 0;
        this.#keep(sighting);
      } else this.#dropped += body.wins + body.refusals;
    }
  }
}

/** The markup as the creative keeps it; null where it is too large. Of a campaign's creative, its document. */
function templateOf({ offered, shown }: SeenBid): string | null {
  const { bid, auctionId, responseId } = offered;
  const template =
    shown === null
      ? creativeTemplate(bid.adm!, { auctionId, impId: bid.impid, responseId, bidId: bid.id })
      : JSON.stringify(shown.creative);
  return template.length > MAX_KEPT_MARKUP ? null : template;
}
