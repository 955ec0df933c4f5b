import { feedPage } from '#actors/feed-page/feed-page';
import { impressionRollup } from '#actors/impression-rollup/impression-rollup';
import type { Impression } from '#actors/impression-rollup/messages';
import { ledger } from '#actors/ledger/ledger';
import { HOUR_MS, hourLedgerId, type LedgerScope, PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { KindRegistry } from '#runtime/node/kind-registry';
import type { Market } from '../market.ts';
import { TARGET } from '../target.ts';

/** The kinds that an impression passes through. */
export const MONEY_KINDS = [impressionRollup, ledger, feedPage];

const SAMPLE = 40_000;
const kinds = new KindRegistry(MONEY_KINDS, TARGET.partitions);

function partitionOf(scope: LedgerScope, owner: string, atMs: number): number {
  return kinds.partitionOf(`ledger/${hourLedgerId(scope, owner, atMs, false)}`);
}

/** The partitions of the ledgers that an impression is booked in, without the platform's. */
function ledgersOf({ publisher, dsp, campaign, account }: Impression, atMs: number): number[] {
  return [
    partitionOf('publisher', publisher, atMs),
    partitionOf('dsp', dsp, atMs),
    partitionOf('campaign', campaign!, atMs),
    partitionOf('account', account!, atMs),
  ];
}

/**
 * The partitions whose ledgers get the share of impressions that is nearest to the mean in the hour of `atMs`. That of
 * the platform's ledger is none of them: all partitions tell it, which is counted apart.
 */
export function typicalPartitions(market: Market, count: number, atMs: number): number[] {
  const told = new Array<number>(TARGET.partitions).fill(0);
  for (let drawn = 0; drawn < SAMPLE; drawn++) {
    for (const partition of ledgersOf(market.next(atMs), atMs)) told[partition]! += 1;
  }
  const mean = (4 * SAMPLE) / TARGET.partitions;
  const excluded = [atMs, atMs + HOUR_MS].map((ms) => partitionOf('platform', PLATFORM_OWNER_ID, ms));
  return told
    .map((times, partition) => ({ partition, distance: Math.abs(times - mean) }))
    .filter(({ partition }) => !excluded.includes(partition))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ partition }) => partition);
}

/** Whether an impression of another partition is booked in a ledger of one of these. */
export class Relevance {
  readonly #measured: ReadonlySet<number>;
  readonly #known = new Map<string, boolean>();
  #hour = -1;

  constructor(measured: readonly number[]) {
    this.#measured = new Set(measured);
  }

  of({ publisher, dsp, campaign, account }: Impression, atMs: number): boolean {
    const hour = Math.floor(atMs / HOUR_MS);
    if (hour !== this.#hour) this.#known.clear();
    this.#hour = hour;
    return (
      this.#touches('publisher', publisher, atMs) ||
      this.#touches('dsp', dsp, atMs) ||
      this.#touches('campaign', campaign!, atMs) ||
      this.#touches('account', account!, atMs)
    );
  }

  #touches(scope: LedgerScope, owner: string, atMs: number): boolean {
    let touches = this.#known.get(owner);
    if (touches === undefined) {
      touches = this.#measured.has(partitionOf(scope, owner, atMs));
      this.#known.set(owner, touches);
    }
    return touches;
  }

  /** Whether the publisher's ledger is in one of these partitions. */
  ofPublisher({ publisher }: Impression, atMs: number): boolean {
    return this.#touches('publisher', publisher, atMs);
  }
}
