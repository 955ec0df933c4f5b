import { Counter, type Registry } from 'prom-client';
import type { Providers } from './create-providers.ts';

/** Exports the counts of the providers to Prometheus. */
export function providerMetrics(registry: Registry, { timesNotInSync }: Pick<Providers, 'timesNotInSync'>): void {
  new Counter({
    name: 'exchange_redis_not_in_sync_total',
    help: 'How often a Redis server was found that may not be used, since it may lack what was acknowledged',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(timesNotInSync());
    },
  });
}
