import type { Registry } from 'prom-client';
import { gaugeAtScrape } from './at-scrape.ts';

/** The part of the log of facts that its metrics need. */
interface MeasuredFactsLog {
  /** Whether it answers. */
  healthy(): Promise<boolean>;
  /** Entries of the partitions owned here that are not yet covered by saved state. */
  length(): Promise<number>;
}

/** Exports how the log of facts does; without values where there is none. */
export function factsLogMetrics(registry: Registry, log: MeasuredFactsLog | null): void {
  gaugeAtScrape(
    registry,
    { name: 'exchange_facts_log_up', help: '1 while the log of counts at FACTS_REDIS_URL answers, and 0 otherwise' },
    async (note) => {
      if (log !== null) note({}, (await log.healthy()) ? 1 : 0);
    },
  );
  gaugeAtScrape(
    registry,
    {
      name: 'exchange_facts_log_length',
      help: 'Entries of the log of counts, in partitions owned here, that are not yet covered by saved state',
    },
    async (note) => {
      if (log !== null) note({}, await log.length());
    },
  );
}
