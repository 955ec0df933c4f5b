import { facts as factsKind } from '#actors/facts/facts';
import type { Impression } from '#actors/impression-rollup/messages';
import { Facts } from '#edge/facts/facts';
import type { Region } from '#exchange/region';
import type { Replica } from '#runtime/actor/replica';
import { encodeEnvelope } from '#runtime/node/envelope';
import { KindRegistry } from '#runtime/node/kind-registry';
import type { Market } from '../market.ts';
import { TARGET } from '../target.ts';

const AUCTIONS_PER_SECOND = TARGET.auctionsPerSecond / TARGET.edges;
const BIDDERS = 5;
const RENDERED_SHARE = TARGET.impressionsPerSecond / TARGET.auctionsPerSecond;
const LATENCY_MS = 40;

/** One message with counts, as an edge sends it. */
export interface SentCounts {
  readonly to: string;
  readonly payload: string;
  readonly partition: number;
  /** ms since the beginning. */
  readonly atMs: number;
}

export interface EdgeRun {
  /** Messages to the given partitions, in the order in which they were sent. */
  readonly sent: readonly SentCounts[];
  /** Messages to all partitions. */
  readonly all: number;
  /** CPU time of the flushes, without appending. */
  readonly flushMicros: number;
}

interface EdgeOptions {
  readonly market: Market;
  readonly region: Region;
  /** Its number among the edges of its region; their flushes are spread over a second. */
  readonly number: number;
  readonly edges: number;
  readonly partitions: ReadonlySet<number>;
  readonly beginMs: number;
  readonly inPhase: boolean;
}

/**
 * The counts of one of the target's edges for `seconds`, by a clock of its own; those of the first `warmUp` are left
 * out.
 */
export async function runEdge(options: EdgeOptions, warmUp: number, seconds: number): Promise<EdgeRun> {
  const { market, region, number, edges, partitions, beginMs } = options;
  const kinds = new KindRegistry([factsKind], TARGET.partitions);
  const accounts = new Map(market.publishers.map(({ id, account }) => [id, account]));
  const sent: SentCounts[] = [];
  let nowMs = beginMs + (number * 1_000) / edges;
  let sequence = 0;
  let all = 0;
  let flushMicros = 0;
  let fire: (() => void) | null = null;
  let isMeasured = false;
  const facts = new Facts({
    kind: factsKind,
    inPhase: options.inPhase,
    tellsAtOnce: Number.POSITIVE_INFINITY,
    region,
    messenger: {
      tell: async (kind, id, type, body) => {
        const to = `${kind.kind}/${id}`;
        const partition = kinds.partitionOf(to);
        sequence += 1;
        if (!isMeasured) return;
        all += 1;
        if (!partitions.has(partition)) return;
        const payload = encodeEnvelope({ to, type, body, from: `edge-${number}`, sequence: `${sequence}` });
        sent.push({ to, payload, partition, atMs: nowMs - beginMs - warmUp * 1_000 });
      },
    },
    replica: {
      get: (kind: string, id: string) =>
        kind === 'publisher' && accounts.has(id) ? { accountId: accounts.get(id) } : undefined,
      subscribe: () => () => {},
    } as unknown as Replica,
    clock: {
      now: () => nowMs,
      monotonic: () => nowMs,
      after: (_, flush) => {
        fire = flush;
        return () => {};
      },
    },
  });
  facts.start();
  const next = (parties = {}): Impression => {
    for (;;) {
      const drawn = market.next(nowMs, parties);
      if (drawn.region === region || 'publisher' in parties) return drawn;
    }
  };
  for (let second = 0; second < warmUp + seconds; second++) {
    for (let auction = 0; auction < AUCTIONS_PER_SECOND; auction++) count(facts, next);
    isMeasured = second >= warmUp;
    nowMs += 1_000;
    const before = process.cpuUsage();
    const flush = fire!;
    fire = null;
    flush();
    // The next flush is due once this one has ended.
    while (fire === null) await new Promise(setImmediate);
    const { user, system } = process.cpuUsage(before);
    if (isMeasured) flushMicros += user + system;
  }
  return { sent, all, flushMicros };
}

/** One auction of five bidders, each of which bids for one of its campaigns. */
function count(
  facts: Facts,
  next: (parties?: { publisher?: { id: string; account: string; home: Region } }) => Impression,
): void {
  const first = next();
  const seller = { id: first.publisher, account: first.account!, home: first.region as Region };
  const bids = [first, ...Array.from({ length: BIDDERS - 1 }, () => next({ publisher: seller }))];
  const publisher = facts.publisher(first.publisher, false);
  publisher.auctions += 1;
  publisher.imps += 1;
  publisher.filledImps += 1;
  publisher.latency.record(LATENCY_MS * (0.5 + Math.random()));
  for (const [place, bid] of bids.entries()) {
    const { dsp: dspId, campaign: campaignId = '', crid = '' } = bid;
    const dsp = facts.dsp(dspId, false);
    dsp.bidRequests += 1;
    dsp.offers += 1;
    dsp.bids += 1;
    dsp.latency.record(LATENCY_MS * (0.5 + Math.random()));
    dsp.bidCountsByPublisher.bid(first.publisher);
    dsp.bidCountsByCreative.bid(crid);
    publisher.bidCountsByDsp.bid(dspId);
    const campaign = facts.campaign(campaignId, dspId, false);
    campaign.bids += 1;
    campaign.bidCountsByCreative.bid(crid);
    if (place > 0) {
      dsp.losses.add('outbid');
      continue;
    }
    dsp.wins += 1;
    dsp.bidCountsByPublisher.win(first.publisher);
    dsp.bidCountsByCreative.win(crid);
    publisher.bidCountsByDsp.win(dspId);
    campaign.wins += 1;
    campaign.bidCountsByCreative.win(crid);
  }
  if (Math.random() < RENDERED_SHARE) publisher.impressionCalls.add('counted');
}
