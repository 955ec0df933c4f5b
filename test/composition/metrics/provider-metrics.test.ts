import { expect } from 'chai';
import { Registry } from 'prom-client';
import { observeProviders } from '#composition/metrics/provider-metrics';

describe('composition/metrics/provider-metrics', () => {
  async function memoryUsed(registry: Registry): Promise<number> {
    const { values } = await registry.getSingleMetric('exchange_redis_memory_used_ratio')!.get();
    expect(values).to.have.length(1);
    return values[0]!.value;
  }

  it('tells the memory of the fullest Redis server of all logs, whichever was asked last', async () => {
    const registry = new Registry();
    const { redisLog } = observeProviders(registry);
    expect(await memoryUsed(registry)).to.equal(0);
    const [main, region] = [redisLog('main'), redisLog('region')];
    main.memoryUsed!(0.8);
    region.memoryUsed!(0.1);
    expect(await memoryUsed(registry)).to.equal(0.8);
    region.memoryUsed!(0.9);
    main.memoryUsed!(0.7);
    expect(await memoryUsed(registry)).to.equal(0.9);
    region.memoryUsed!(0.2);
    expect(await memoryUsed(registry)).to.equal(0.7);
  });

  it('counts the commands of all clients together', async () => {
    const registry = new Registry();
    const { redis, redisLog } = observeProviders(registry);
    for (const client of [redis, redisLog('main'), redisLog('region')]) {
      client.begun();
      client.ended('late', 5_000);
      client.begun();
    }
    const lines = (await registry.metrics()).split('\n');
    expect(lines).to.include('exchange_redis_command_errors_total{cause="late"} 3');
    expect(lines).to.include('exchange_redis_commands_in_flight 3');
  });
});
