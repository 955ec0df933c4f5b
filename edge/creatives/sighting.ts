import type { Static } from 'typebox';
import type { creativeMessages } from '../../actors/creative/messages.ts';
import type { AdFormat } from '../../exchange/auction/ad-format.ts';
import type { SeenBid } from './seen-bid.ts';

export type SeenMessage = Static<(typeof creativeMessages)['seen']>;

/** Values of one kind in one message at most. */
const MOST_VALUES = 20;
/** Longer ones are cut: bidders choose them. */
const MOST_CHARACTERS = 256;

type Source = Pick<
  SeenMessage,
  'dspId' | 'accountId' | 'partnerId' | 'sandbox' | 'campaignId' | 'crid' | 'fingerprint' | 'declared'
>;

/** Live and sandbox sales of a creative are told apart: a demand source may leave the sandbox at any time. */
export function sightingKey(creativeId: string, sandbox: boolean): string {
  return sandbox ? `${creativeId} sandbox` : creativeId;
}

/** What this edge has seen of one creative, live or in the sandbox, since it last told. */
export class Sighting {
  readonly id: string;
  /** {@link sightingKey} of the creative. */
  readonly key: string;
  readonly #source: Source;
  /** Monotonic ms after which it is to be told. */
  dueMs: number;
  /** The template; null once it was told, and where the edge knows the creative. */
  markup: string | null = null;
  wasTold = false;
  /** Of this edge, ever. */
  sightings = 0;
  #untoldSightings = 0;
  #wins = 0;
  #refusals = 0;
  #formats = new Set<AdFormat>();
  #sizes = new Set<string>();
  #domains = new Set<string>();
  #categories = new Set<string>();
  #taxonomy = 1;
  #attributes = new Set<number>();
  #publisherIds = new Set<string>();

  constructor(id: string, source: Source, dueMs: number) {
    this.id = id;
    this.key = sightingKey(id, source.sandbox);
    this.#source = source;
    this.dueMs = dueMs;
  }

  count(isWin: boolean): void {
    if (isWin) this.#wins += 1;
    else this.#refusals += 1;
  }

  /** Takes note of a bid whose markup was looked at. */
  look({ offered: { bid }, format, publisherId }: SeenBid): void {
    this.sightings += 1;
    this.#untoldSightings += 1;
    if (format !== null) this.#formats.add(format);
    if (bid.w !== undefined && bid.h !== undefined) add(this.#sizes, `${bid.w}x${bid.h}`);
    for (const domain of bid.adomain ?? []) add(this.#domains, domain);
    for (const category of bid.cat ?? []) add(this.#categories, category);
    this.#taxonomy = bid.cattax ?? 1;
    for (const attribute of bid.attr ?? []) if (this.#attributes.size < MOST_VALUES) this.#attributes.add(attribute);
    add(this.#publisherIds, publisherId);
  }

  /** What is to be told; the counts begin anew. */
  take(): SeenMessage {
    const body: SeenMessage = {
      ...this.#source,
      markup: this.markup,
      formats: [...this.#formats],
      sizes: [...this.#sizes],
      advertiserDomains: [...this.#domains],
      categories: [...this.#categories],
      categoryTaxonomy: this.#taxonomy,
      attributes: [...this.#attributes],
      publisherIds: [...this.#publisherIds],
      sightings: this.#untoldSightings,
      wins: this.#wins,
      refusals: this.#refusals,
    };
    this.wasTold = true;
    this.markup = null;
    this.#untoldSightings = 0;
    this.#wins = 0;
    this.#refusals = 0;
    for (const set of [this.#formats, this.#sizes, this.#domains, this.#categories, this.#attributes]) set.clear();
    this.#publisherIds.clear();
    return body;
  }

  /** Puts back what was certainly not told. */
  putBack({ markup, sightings, wins, refusals, ...values }: SeenMessage): void {
    this.markup ??= markup;
    this.#untoldSightings += sightings;
    this.#wins += wins;
    this.#refusals += refusals;
    for (const format of values.formats) this.#formats.add(format);
    for (const size of values.sizes) add(this.#sizes, size);
    for (const domain of values.advertiserDomains) add(this.#domains, domain);
    for (const category of values.categories) add(this.#categories, category);
    for (const attribute of values.attributes) this.#attributes.add(attribute);
    for (const id of values.publisherIds) add(this.#publisherIds, id);
  }
}

function add(values: Set<string>, value: string): void {
  if (values.size < MOST_VALUES) values.add(value.slice(0, MOST_CHARACTERS));
}
