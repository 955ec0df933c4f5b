import type { ApiClient } from '../http/api-client.ts';
import { auctionsOf, type Market, makePublisher, TOO_HIGH_CPM } from './market.ts';
import type { Outcome, WatchedEdge } from './watched-edge.ts';

/** A change that auctions show, and that can be repeated any number of times. */
export interface ObservableChange {
  readonly name: string;
  /** Undoes the last change and resolves with the publisher whose auctions will show the next one. */
  undo(): Promise<string>;
  /** The outcomes of the publisher's auctions before the change and after it. */
  readonly before: Outcome;
  readonly after: Outcome;
  /** Makes the change and resolves with the time of its response. */
  make(publisherId: string): Promise<number>;
}

/** This many consecutive unsold auctions are no accident; a single one may be caused by a late bidder. */
const UNSOLD_IN_A_ROW = 3;
/**
 * Pauses between changes are random up to this length, so that changes do not synchronise with timers of the exchange.
 */
const LONGEST_PAUSE_MS = 20;

export function observableChanges(
  client: ApiClient,
  { publisher, pool, emptyPool, dsp, delegated, delegate }: Market,
): ObservableChange[] {
  const call = (method: string, path: string, body?: object) => async () =>
    (await client.ask(method, path, body)).answeredMs;
  const back = (undo: () => Promise<unknown>) => () => undo().then(() => publisher);
  const source = `/api/supply/sources/${publisher}`;
  const subscription = `/api/demand/sources/${dsp}/pools/${pool}`;
  const assign = (to: string) => call('PUT', `/api/supply/pools/${to}/assign`, { publisher_id: publisher });
  const campaign = {
    campaign_id: 'shown',
    campaign_name: 'Shown',
    bidding: { base_cpm: 1 },
    creative: { creative_id: 'c', html: '<b>an ad</b>', width: 300, height: 250 },
  };
  const strategy = (campaigns: readonly object[]) =>
    call('PUT', `/api/demand/sources/${delegate}/strategy`, {
      version: '1.0',
      dsp_id: delegate,
      default_bid: 0,
      campaigns,
      rules: [],
    });
  const opening = { before: 'unsold', after: 'sold' } as const;
  const rule = { scope: 'publisher', scope_id: publisher, subject: 'advertiser', value: 'advertiser.example' };
  let ruleId: string | null = null;
  return [
    {
      name: 'floor',
      ...opening,
      undo: back(call('PUT', source, { floor_price_cpm: TOO_HIGH_CPM })),
      make: call('PUT', source, { floor_price_cpm: 0 }),
    },
    {
      name: 'subscription',
      ...opening,
      undo: back(call('DELETE', subscription)),
      make: call('POST', subscription),
    },
    { name: 'pool assignment', ...opening, undo: back(assign(emptyPool)), make: assign(pool) },
    {
      name: 'archive',
      before: 'sold',
      after: 'refused',
      // An archived source cannot be restored, so each repetition uses another one.
      undo: () => makePublisher(client, pool),
      make: (id) => call('DELETE', `/api/supply/sources/${id}`)(),
    },
    {
      name: 'strategy',
      ...opening,
      undo: () => strategy([])().then(() => delegated),
      make: strategy([campaign]),
    },
    {
      name: 'block of creatives',
      before: 'sold',
      after: 'unsold',
      undo: back(async () => {
        if (ruleId !== null) await client.ask('DELETE', `/api/creatives/rules/${ruleId}`);
      }),
      make: async () => {
        const body = { ...rule, decision: 'block', reason: 'measured' };
        const { body: made, answeredMs } = await client.ask<{ id: string }>('POST', '/api/creatives/rules', body);
        ruleId = made.id;
        return answeredMs;
      },
    },
  ];
}

/**
 * Makes the change `times` times; answers, for each edge, the ms of each time from its 200 to the first auction that
 * shows it.
 */
export async function measurePropagation(
  change: ObservableChange,
  edges: readonly WatchedEdge[],
  times: number,
): Promise<number[][]> {
  const tookMs: number[][] = edges.map(() => []);
  const timesOf = (outcome: Outcome) => (outcome === 'unsold' ? UNSOLD_IN_A_ROW : 1);
  for (let time = 0; time < times; time++) {
    const publisherId = await change.undo();
    const request = auctionsOf(publisherId);
    await Promise.all(edges.map((edge) => edge.until(change.before, request, timesOf(change.before))));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS));
    const answeredMs = await change.make(publisherId);
    const shownMs = await Promise.all(edges.map((edge) => edge.until(change.after, request, timesOf(change.after))));
    for (const [at, ms] of shownMs.entries()) tookMs[at]!.push(ms - answeredMs);
  }
  return tookMs;
}
