import type { Registry } from 'prom-client';
import { gaugeAtScrape } from './at-scrape.ts';

/** The part of the log of facts that its metrics need. */
interface MeasuredFactsLog {
  /** Whether it answers. */
  healthy(): Promise<boolean>;
  /** The share of its memory that its fullest server uses, 0 to 1; null before it is known. */
  readonly memoryUsed: number | null;
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
      name: 'exchange_facts_log_memory_used_ratio',
      help: 'Share of maxmemory that the fullest Redis server of the log of counts uses; from 0.9 on counts wait in edges; 0 without a bound',
    },
    (note) => {
      if (log !== null && log.memoryUsed !== null) note({}, log.memoryUsed);
    },
  );
}
