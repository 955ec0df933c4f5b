import type { Registry } from 'prom-client';
import type { SaleCeilings } from '../../edge/budgets/sale-ceilings.ts';
import type { CreativeSightings } from '../../edge/creatives/creative-sightings.ts';
import type { Facts } from '../../edge/facts/facts.ts';
import type { AuctionRecorder } from '../../edge/recording/auction-recorder.ts';
import type { WinFeed } from '../../edge/win-feed.ts';
import type { Notices } from '../../gateways/bidders/notices/notices.ts';
import type { Edge } from '../../gateways/edge/edge.ts';
import { counterAtScrape, gaugeAtScrape } from './at-scrape.ts';

/** What an edge keeps in memory for its metrics. */
export interface EdgeParts {
  readonly notices: Pick<Notices, 'counts' | 'retrying'>;
  readonly recorder: Pick<AuctionRecorder, 'recorded' | 'dropped'>;
  readonly sightings: Pick<CreativeSightings, 'waiting' | 'dropped'>;
  readonly wins: Pick<WinFeed, 'dropped'>;
  readonly facts: Pick<Facts, 'lostTells' | 'dropped' | 'waiting' | 'logAway'>;
  readonly ceilings: Pick<SaleCeilings, 'due' | 'statements' | 'failures'>;
  readonly edge: Pick<Edge, 'shedRequests' | 'auctionsInFlight'>;
}

/** Exports what becomes of an edge's work behind its answers. */
export function edgeMetrics(registry: Registry, parts: EdgeParts): void {
  const { notices, recorder, sightings, wins, facts, ceilings, edge } = parts;
  counterAtScrape(
    registry,
    {
      name: 'exchange_notices_total',
      help: 'Win, billing and loss notices of this edge, by how they ended',
      labelNames: ['kind', 'outcome'],
    },
    (note) => {
      for (const [kind, counts] of Object.entries(notices.counts)) {
        for (const [outcome, count] of Object.entries(counts)) note({ kind, outcome }, count);
      }
    },
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_notices_retrying', help: 'Notices of this edge that failed and wait for another attempt' },
    (note) => note({}, notices.retrying),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_auction_records_total',
      help: 'Sampled auctions of this edge, by what became of their record: dropped ones met a log that was slow or away',
      labelNames: ['outcome'],
    },
    (note) => {
      note({ outcome: 'recorded' }, recorder.recorded);
      note({ outcome: 'dropped' }, recorder.dropped);
    },
  );
  gaugeAtScrape(
    registry,
    { name: 'exchange_creative_sightings_waiting', help: 'Creatives that this edge has still to tell of' },
    (note) => note({}, sightings.waiting),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_creative_sightings_dropped_total',
      help: 'Sales and refusals of this edge that no creative was told of',
    },
    (note) => note({}, sightings.dropped),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_feed_wins_dropped_total',
      help: 'Wins of this edge that no feed was told of: the log was away for too long, or there were too many meanwhile',
    },
    (note) => note({}, wins.dropped),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_fact_messages_lost_total',
      help: 'Messages with counts of this edge that may not have reached their ledger: reports lack them, invoices do not',
    },
    (note) => note({}, facts.lostTells),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_fact_updates_dropped_total',
      help: 'Counts of this edge for one ledger each that were dropped, because their log did not answer for 2 minutes: reports lack them, invoices do not',
    },
    (note) => note({}, facts.dropped),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_fact_updates_waiting',
      help: 'Ledgers that counts of this edge wait for; under load they are sent every 15 s, those of campaigns every 30 s',
    },
    (note) => note({}, facts.waiting),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_facts_log_away',
      help: '1 while the log of the counts does not answer this edge, and 0 otherwise',
    },
    (note) => note({}, facts.logAway ? 1 : 0),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_sale_ceilings_stated_total',
      help: 'Statements of this edge to budgets of the most that it sells without a limit',
    },
    (note) => note({}, ceilings.statements),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_sale_ceiling_failures_total',
      help: 'Statements of this edge to budgets that may not have arrived; they are repeated each second',
    },
    (note) => note({}, ceilings.failures),
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_sale_ceilings_due',
      help: 'Holders without a limit of which this edge has sold more than their budgets certainly know',
    },
    (note) => note({}, ceilings.due),
  );
  counterAtScrape(
    registry,
    {
      name: 'exchange_requests_shed_total',
      help: 'Ad requests that this edge answered 503, unread, because more came than it can serve in time',
    },
    (note) => note({}, edge.shedRequests),
  );
  gaugeAtScrape(registry, { name: 'exchange_auctions_in_flight', help: 'Auctions under way at this edge' }, (note) =>
    note({}, edge.auctionsInFlight),
  );
}
