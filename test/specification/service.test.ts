import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { type Answer, callJson } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('health and sellers', (exchange) => {
  const anonymous = (path: string) => callJson('GET', `${exchange.running.baseUrl}${path}`);

  describe('health', () => {
    let health: Answer;
    before(async () => {
      health = await anonymous('/api/health');
    });
    shows('health.200', () => expect(health.status).to.equal(200));
    shows('health.status', () => expect(health.body.status).to.equal('ok'));
    shows('health.region', () => expect(health.body.region).to.equal('fra'));
    shows(['health.version', 'version.health'], () => expect(health.body.version).to.match(/^\d+\.\d+\.\d+/));
  });

  describe('sellers.json', () => {
    let answer: Answer;
    let seller: Record<string, unknown>;
    let live: Record<string, unknown>;
    let hidden: string[];
    before(async () => {
      const source = (fields: object) =>
        exchange.create('/api/supply/sources', { domain: 'seller.example', type: 'web', ...fields });
      const archived = await source({});
      const sandbox = await source({ sandbox: true });
      hidden = [archived.id, sandbox.id];
      await exchange.call('DELETE', `/api/supply/sources/${archived.id}`);
      live = await source({});
      await eventually('the new source to be listed', async () => {
        answer = await anonymous('/sellers.json');
        seller = answer.body.sellers.find(({ seller_id: id }: { seller_id: string }) => id === live.id);
        return seller;
      });
    });
    shows('sellers.200', () => expect(answer.status).to.equal(200));
    shows(['sellers.version', 'version.sellers'], () => expect(answer.body.version).to.equal('1.0'));
    shows('sellers.identifiers', () => expect(answer.body.identifiers).to.be.an('array'));
    shows('sellers.seller_id', () => expect(seller.seller_id).to.equal(live.id));
    shows('sellers.name', () => expect(seller.name).to.equal(live.name));
    shows('sellers.domain', () => expect(seller.domain).to.equal('seller.example'));
    shows('sellers.seller_type', () => expect(seller.seller_type).to.be.oneOf(['PUBLISHER', 'INTERMEDIARY', 'BOTH']));
    shows('sellers.is_confidential', () => expect(seller.is_confidential).to.be.oneOf([0, 1]));
    shows('sellers.active-live', () => {
      const ids = answer.body.sellers.map(({ seller_id: id }: { seller_id: string }) => id);
      expect(ids).to.include(live.id);
      expect(ids).not.to.include.oneOf(hidden);
    });
    shows(['sellers.cache', 'limit.sellers-cache'], () => {
      expect(answer.headers.get('cache-control')).to.match(/\bmax-age=3600\b/);
    });
  });

  describe('operations', () => {
    const operations = (path: string) => callJson('GET', `${exchange.running.opsUrl}${path}`);
    shows('operations.livez', async () => expect((await operations('/livez')).status).to.equal(200));
    shows('operations.readyz', async () => expect((await operations('/readyz')).status).to.equal(200));
    shows('operations.metrics', async () => {
      const { status, headers, body } = await operations('/metrics');
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.match(/^text\/plain/);
      expect(body).to.match(/^# TYPE \w+ (counter|gauge|histogram|summary)$/m);
    });
    shows('operations.apart', async () => {
      const { baseUrl, edgeUrl } = exchange.running;
      for (const path of ['/livez', '/readyz', '/metrics']) {
        for (const origin of [baseUrl, edgeUrl]) {
          expect((await callJson('GET', `${origin}${path}`)).status, `${origin}${path}`).to.equal(404);
        }
      }
    });
  });

  shows('limit.body', async () => {
    const tooLarge = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    const { baseUrl, edgeUrl, liveKey } = exchange.running;
    const headers = { 'X-API-Key': liveKey };
    const path = '/api/supply/sources';
    expect(errorOf(await callJson('POST', `${baseUrl}${path}`, tooLarge, headers))).to.equal('413 PAYLOAD_TOO_LARGE');
    expect(errorOf(await callJson('POST', `${edgeUrl}/rtb`, tooLarge))).to.equal('413 PAYLOAD_TOO_LARGE');
    const large = JSON.stringify({ name: 'x'.repeat(1024 * 1000) });
    expect((await callJson('POST', `${baseUrl}${path}`, large, headers)).status).to.equal(400);
    expect((await callJson('POST', `${edgeUrl}/rtb`, large)).status).to.equal(400);
  });
});
