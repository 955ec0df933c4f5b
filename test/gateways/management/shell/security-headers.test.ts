import { expect } from 'chai';
import { createManagement, type Management } from '#gateways/management/management';
import { managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

describe('gateways/management/shell/security-headers', () => {
  let running: RunningManagement;
  const opened: Management[] = [];
  before(async function () {
    running = await startManagement(this);
  });
  after(async () => {
    await Promise.all(opened.map((management) => management.close()));
    await running.close();
  });

  it('lets an answer be nothing but data', async () => {
    for (const path of ['/api/supply/sources', '/nothing']) {
      const { headers } = await running.api.get(path);
      expect(headers.get('content-security-policy')).to.include("default-src 'none'");
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('x-frame-options')).to.equal('DENY');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-powered-by')).to.equal(null);
    }
  });

  it('lets no cache keep what was answered, unless the route says so', async () => {
    for (const path of ['/api/supply/sources', '/nothing']) {
      expect((await running.api.get(path)).headers.get('cache-control'), path).to.equal('no-store');
    }
    expect((await running.anonymous.get('/sellers.json')).headers.get('cache-control')).to.equal(
      'public, max-age=3600',
    );
  });

  for (const [publicBaseUrl, transport] of [
    ['http://localhost:8080', null],
    ['https://exchange.example', 'max-age=31536000'],
  ] as const) {
    it(`${transport === null ? 'says nothing of TLS' : 'insists on TLS'} at ${publicBaseUrl}`, async () => {
      const management = createManagement({ ...running.parts, settings: { ...running.parts.settings, publicBaseUrl } });
      opened.push(management);
      const api = managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
      expect((await api.get('/api/health')).headers.get('strict-transport-security')).to.equal(transport);
    });
  }
});
