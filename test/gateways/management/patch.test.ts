import { expect } from 'chai';
import { auditEntry } from '#actors/audit-entry/audit-entry';
import { routes } from '#gateways/management/routes';
import { strategyOf } from './access-matrix/delegate.ts';
import { errorOf } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

/** These PUTs are actions, or set one value: no resources. */
const ACTIONS = [
  '/api/auth/password',
  '/api/supply/pools/:pool_id/assign',
  '/api/creatives/policies',
  '/api/supply/sources/:id/stored-requests/:stored_name',
  '/api/supply/sources/:id/stored-imps/:stored_name',
  '/api/source/creatives/policy',
];

describe('gateways/management: PATCH', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  it('stands beside the PUT of each resource', () => {
    const pathsOf = (wanted: string) => routes.filter(({ method }) => method === wanted).map(({ path }) => path);
    const puts = pathsOf('PUT').filter((path) => !ACTIONS.includes(path));
    expect(pathsOf('PATCH')).to.have.members(puts);
  });

  it('changes the fields given of a source, as PUT does, by either media type, and leaves its entry', async () => {
    const created = await running.api.post('/api/supply/sources', {
      name: 'Patched',
      domain: 'd.example',
      type: 'web',
    });
    const path = `/api/supply/sources/${created.body.id}`;
    for (const [type, floor] of [
      ['application/json', 2],
      ['application/merge-patch+json', 3],
    ] as const) {
      const raw = JSON.stringify({ floor_price_cpm: floor, content_genre: 'news' });
      const changed = await running.api.request('PATCH', path, { raw, headers: { 'Content-Type': type } });
      expect([changed.status, changed.body.floor_price_cpm, changed.body.name]).to.deep.equal([200, floor, 'Patched']);
    }
    const stale = await running.api.request('PATCH', path, { body: {}, headers: { 'If-Match': '"0"' } });
    expect(errorOf(stale)).to.equal('412 PRECONDITION_FAILED');
    expect(errorOf(await running.api.request('PATCH', path, { body: { type: 'tv' } }))).to.equal(
      '400 VALIDATION_ERROR type',
    );
    const { documents } = await running.store.query(auditEntry.kind, {});
    expect(JSON.stringify(documents)).to.include('PATCH /api/supply/sources/:id');
  });

  it('merges a patch into the strategy, which is checked and installed whole', async () => {
    const { body } = await running.api.post('/api/demand/sources', { name: 'Patched delegate', mode: 'delegate' });
    const path = `/api/demand/sources/${body.id}/strategy`;
    expect(errorOf(await running.api.request('PATCH', path, { body: {} }))).to.equal('404 NOT_FOUND');
    expect((await running.api.put(path, strategyOf(body.id))).status).to.equal(200);
    const changed = await running.api.request('PATCH', path, { body: { default_bid: 2.5 } });
    expect([changed.status, changed.body]).to.deep.equal([200, { ...strategyOf(body.id), default_bid: 2.5 }]);
    expect((await running.api.get(path)).body).to.deep.equal(changed.body);
    const refused = await running.api.request('PATCH', path, { body: { default_bid: null, rules: [{}] } });
    expect(refused.status).to.equal(422);
    expect(refused.body.error.errors.map(({ field }: { field: string }) => field)).to.include('default_bid');
  });

  it('makes no strategy that is larger than one that can be uploaded, piece by piece either', async () => {
    const { body } = await running.api.post('/api/demand/sources', { name: 'Grown delegate', mode: 'delegate' });
    const path = `/api/demand/sources/${body.id}/strategy`;
    const size = { format: 'html5', width: 300, height: 250 };
    const campaigns = Array.from({ length: 7 }, (_, index) => ({
      campaign_id: `c${index}`,
      campaign_name: 'Large',
      bidding: { base_cpm: 2 },
      creative: { ...size, creative_id: 'c', html: `<b>${'ad'.repeat(125_000)}</b>` },
    }));
    const rules = Array.from({ length: 180 }, (_, index) => ({
      rule_id: `r${index}`,
      campaign_id: 'c0',
      bid_cpm: 1,
      conditions: [{ field: 'site.page', operator: 'eq', value: 'x'.repeat(9_900) }],
    }));
    const uploaded = await running.api.put(path, { ...strategyOf(body.id), campaigns });
    expect(uploaded.status, JSON.stringify(uploaded.body.error)).to.equal(200);
    expect(errorOf(await running.api.request('PATCH', path, { body: { rules } }))).to.equal('413 PAYLOAD_TOO_LARGE');
    expect((await running.api.get(path)).body.rules).to.deep.equal([]);
    expect((await running.api.request('PATCH', path, { body: { rules: rules.slice(0, 9) } })).status).to.equal(200);
  });
});
