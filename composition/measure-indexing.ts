import { Gauge, type Registry } from 'prom-client';
import type { StateStore } from '../runtime/ports/store.ts';

/** Says in Prometheus' terms that indexes are still being made. */
export function measureIndexing(registry: Registry, store: Pick<StateStore, 'unindexed'>): void {
  new Gauge({
    name: 'store_unindexed_kinds',
    help: 'Kinds of actors whose indexes are being made: until they are there, what is listed of them comes slower',
    registers: [registry],
    collect() {
      this.set(store.unindexed().length);
    },
  });
}
