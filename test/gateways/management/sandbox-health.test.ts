import { expect } from 'chai';
import type { ManagementDeps } from '#gateways/management/deps';
import { createManagement } from '#gateways/management/management';
import { managementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

describe('gateways/management/sandbox health', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  const healthWith = async (log: ManagementDeps['log']) => {
    const management = createManagement({ ...running.parts, log });
    const api = managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
    try {
      return (await api.get('/api/sandbox/health', { 'X-API-Key': running.liveKey })).body;
    } finally {
      await management.close();
    }
  };

  for (const [embedded, healthy, status, sandbox_redis] of [
    [true, true, 'ok', 'embedded'],
    [false, true, 'ok', 'ok'],
    [true, false, 'degraded', 'unavailable'],
    [false, false, 'degraded', 'unavailable'],
  ] as const) {
    it(`is ${status} and ${sandbox_redis} with ${embedded ? 'an embedded log' : 'Redis'} ${healthy ? 'up' : 'away'}`, async () => {
      const health = await healthWith({ embedded, healthy: async () => healthy });
      expect(health).to.deep.equal({ status, sandbox_redis, synthetic_dsps: [], test_publishers_available: 0 });
    });
  }

  it('counts the publishers of the account, or of the partner', async () => {
    const source = (name: string) => ({ name, domain: 'site.example', type: 'web' });
    const partner = (await running.api.post('/api/partners', { name: 'Partner' })).body.id;
    const ofPartner = { 'X-User-Partner-ID': partner };
    await running.sandboxApi.post('/api/supply/sources', source('One'));
    await running.sandboxApi.post('/api/supply/sources', source('Two'), ofPartner);
    await running.api.post('/api/supply/sources', source('Live'));
    const count = async (headers = {}) =>
      (await running.api.get('/api/sandbox/health', headers)).body.test_publishers_available;
    expect(await count()).to.equal(2);
    expect(await count(ofPartner)).to.equal(1);
  });
});
