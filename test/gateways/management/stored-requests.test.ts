import { expect } from 'chai';
import { errorOf } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

describe('gateways/management: stored requests and imps', () => {
  let running: RunningManagement;
  let source: string;
  before(async function () {
    running = await startManagement(this);
    const made = await running.api.post('/api/supply/sources', { name: 'Stores', domain: 'd.example', type: 'web' });
    source = `/api/supply/sources/${made.body.id}`;
  });
  after(() => running.close());

  const IMP = { banner: { format: [{ w: 320, h: 50 }] }, ext: { prebid: { bidder: { adexchange: {} } } } };

  it('are stored, replaced, listed, read and deleted, each kind by itself', async () => {
    const imp = `${source}/stored-imps/top-banner`;
    expect((await running.api.put(imp, { instl: 1 })).status).to.equal(200);
    const put = await running.api.put(imp, IMP);
    expect(put.body).to.deep.include({ name: 'top-banner', document: IMP });
    expect(put.body.updated_at).to.match(/^\d{4}-.*Z$/);
    expect((await running.api.put(`${source}/stored-requests/home`, { tmax: 700 })).status).to.equal(200);
    expect((await running.api.get(imp)).body).to.deep.equal(put.body);
    expect((await running.api.get(`${source}/stored-imps`)).body).to.deep.equal({ stored: [put.body], total: 1 });
    expect((await running.api.get(`${source}/stored-requests`)).body.stored[0].document).to.deep.equal({ tmax: 700 });
    expect((await running.api.request('DELETE', imp)).body).to.deep.equal(put.body);
    expect(errorOf(await running.api.get(imp))).to.equal('404 NOT_FOUND');
    expect(errorOf(await running.api.request('DELETE', imp))).to.equal('404 NOT_FOUND');
    expect((await running.api.get(`${source}/stored-requests`)).body.total).to.equal(1);
  });

  it('are refused where edges could not hold or serve them', async () => {
    const path = `${source}/stored-imps/large`;
    expect(errorOf(await running.api.put(path, { text: 'x'.repeat(32_768) }))).to.equal('413 PAYLOAD_TOO_LARGE');
    let deep: object = {};
    for (let level = 0; level < 32; level++) deep = { deep };
    expect(errorOf(await running.api.put(path, deep))).to.equal('400 VALIDATION_ERROR');
    const headers = { 'Content-Type': 'application/json' };
    expect((await running.api.request('PUT', path, { raw: '[]', headers })).status).to.equal(400);
    expect((await running.api.put(`${source}/stored-imps/a%2Fb`, {})).status).to.equal(404);
    expect((await running.api.put(`${source}/stored-imps/${'x'.repeat(65)}`, {})).status).to.equal(404);
    expect((await running.api.get(`${source}/stored-imps`)).body.total).to.equal(0);
  });
});
