import { expect } from 'chai';
import { Registry } from 'prom-client';
import { measuredStore } from '#composition/metrics/measured-store';
import { StoreUnavailable } from '#runtime/ports/errors';
import type { StateStore } from '#runtime/ports/store';

describe('composition/metrics/measured-store', () => {
  it('counts operations and errors by the name of the operation, those after a token too', async () => {
    const registry = new Registry();
    const down = async () => {
      throw new StoreUnavailable('gone');
    };
    const reads = { load: async () => [null], query: down };
    const store = { ...reads, save: async () => ['saved'], after: () => reads } as unknown as StateStore;
    const measured = measuredStore(registry, store);
    expect(await measured.load([{ kind: 'pool', id: 'a' }])).to.deep.equal([null]);
    expect(await measured.after('token').load([{ kind: 'pool', id: 'a' }])).to.deep.equal([null]);
    expect(await measured.save([])).to.deep.equal(['saved']);
    const failures = [measured.query('pool', {}), measured.after('token').query('pool', {})];
    for (const failure of failures) expect(await failure.catch((error) => error)).to.be.instanceOf(StoreUnavailable);
    const text = await registry.metrics();
    for (const line of [
      'store_operation_seconds_count{operation="load"} 2',
      'store_operation_seconds_count{operation="save"} 1',
      'store_operation_seconds_count{operation="query"} 2',
      'store_errors_total{operation="query"} 2',
      'store_errors_total{operation="load"} 0',
    ])
      expect(text.split('\n')).to.include(line);
  });
});
