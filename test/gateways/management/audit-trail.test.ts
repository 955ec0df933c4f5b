import { expect } from 'chai';
import { account } from '#actors/account/account';
import { linkHash } from '#actors/audit-chain/chain-link';
import { type AuditEntry, auditEntry } from '#actors/audit-entry/audit-entry';
import { changedFields } from '#actors/audit-entry/redact';
import { auditTrail } from '#actors/audit-entry/trail';
import { EXCHANGE_LEASE_ID, jobLease } from '#actors/job-lease/job-lease';
import { isAudited } from '#gateways/management/audit-trail/audited-messenger';
import { routes } from '#gateways/management/routes';
import type { Access } from '#gateways/management/routing/route';
import { Activation } from '#runtime/node/activation';
import { KindRegistry } from '#runtime/node/kind-registry';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { eventually } from '../../support/eventually.ts';
import { goodRequest, kindOf } from './access-matrix/requests.ts';
import { type Credential, World } from './access-matrix/world.ts';
import { errorOf } from './management-client.ts';

/**
 * Logging in ends a session of the browser and opens another, a new password or second factor opens one; a rotation
 * changes two keys, a delivery that still waits is not queued again; a new account comes with a sandbox of twelve
 * sources, pools and subscriptions; everything else changes one resource.
 */
const ENTRIES: Readonly<Record<string, number>> = {
  // Nothing was traded that could be taken back.
  'POST /api/adjustments': 0,
  'POST /api/accounts': 13,
  'POST /api/auth/login': 2,
  // The invitation has ended, there is a user, one session ends and another begins.
  'POST /api/invitations/accept': 4,
  'POST /api/auth/logout': 1,
  'POST /api/auth/second-factor/confirm': 2,
  'PUT /api/auth/password': 2,
  'POST /api/keys/:id/rotate': 2,
  'POST /api/webhooks/:id/deliveries/:delivery_id/replay': 0,
  // What they name was offered to, or decided for, another supply source.
  'POST /api/source/creatives/:id/block': 0,
  'POST /api/source/creatives/:id/approve': 0,
  'POST /api/source/creatives/:id/report': 0,
  'DELETE /api/source/creatives/:id/decision': 0,
  'DELETE /api/source/creatives/rules/:rule_id': 0,
};

/** Whose change of a route is told. */
const credentialOf = (access: Access): Credential => {
  if (access === 'publisher-session') return 'pubU';
  if (access === 'dsp-session') return 'dspU';
  return access === 'operator' ? 'operator' : 'member';
};

describe('gateways/management: the audit trail', () => {
  let world: World;
  before(async function () {
    world = await World.start(this);
  });
  after(() => world?.close());

  const entries = async (): Promise<AuditEntry[]> => {
    const { documents } = await world.parts.store.query(auditEntry.kind, {});
    return documents.map(({ state }) => state as AuditEntry);
  };
  const of = async (requestId: string) => (await entries()).filter(({ by }) => by.requestId === requestId);
  const letter = (id: string) => ({
    ...{ id, partition: 0, position: '1-1', to: 'account/none', type: 'update', payload: '["account/none","x",{}]' },
    ...{ reason: 'a test', parkedAtMs: 1, replayedAtMs: null },
  });

  it('has one entry of every change that a route makes, and none of what changes nothing', async () => {
    const letters = ['0:1700000000000-1', '0:1700000000000-2'];
    await world.parts.store.park(letters.map(letter));
    const holding = { process: 'a test', forMs: 60_000, jobs: ['no-such-job'], duties: [], takenUpTo: 0 };
    await world.parts.messenger.ask(jobLease, EXCHANGE_LEASE_ID, 'hold', holding);
    const asked: { name: string; requestId: string; expected: number }[] = [];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const name = `${route.method} ${route.path}`;
      const credential = credentialOf(route.access);
      const target = route.path.startsWith('/api/sandbox/') && kindOf(name) !== undefined ? 'sandbox' : 'own';
      const { method, body, path: plain } = await goodRequest(world, name, target, credential);
      const path = plain.replace('letters/0-1', `letters/${letters[name.endsWith('/discard') ? 0 : 1]}`);
      // Only what is paused changes when it is reactivated, and only a subscription is ended.
      if (/^DELETE .*:pool_id/.test(name)) await world.as(credential).post(path);
      if (path.endsWith('/reactivate')) await world.as(credential).post(path.replace(/reactivate$/, 'pause'));
      const answer = await world.as(credential).request(method, path, body === undefined ? {} : { body });
      const requestId = answer.headers.get('x-request-id')!;
      const expected = ENTRIES[name] ?? (isAudited(route) ? 1 : 0);
      asked.push({ name, requestId, expected });
      if (expected > 0) {
        await eventually(`the entry of ${name} (${answer.status} ${JSON.stringify(answer.body)})`, async () => {
          return (await of(requestId)).length >= expected;
        });
      }
      await world.forget(path);
    }
    const all = await entries();
    const counts = asked.map(({ name, requestId, expected }) => ({
      name,
      expected,
      left: all.filter(({ by }) => by.requestId === requestId).length,
    }));
    expect(counts.filter(({ left, expected }) => left !== expected)).to.deep.equal([]);
    expect(counts.filter(({ left }) => left > 0).length).to.be.greaterThan(35);
  });

  it('holds no secret, whatever was changed', async () => {
    const text = JSON.stringify(await entries());
    expect(text).not.to.match(
      /scrypt|pk_live_[\w-]{20}|pk_sandbox_[\w-]{20}|(pub|dsp)_\d+_[0-9a-f]{40}|whsec_|v1\.[\w-]{20}/,
    );
    expect(text).not.to.include('a long password');
    expect(text).not.to.include('@users.example');
    expect(text).to.include('(withheld)');
  });

  it('is read by operators, filtered and page by page', async () => {
    const made = await world.own.api.post('/api/supply/sources', { name: 'Told', domain: 'd.example', type: 'web' });
    const resource = `publisher/${made.body.id}`;
    await world.own.api.put(`/api/supply/sources/${made.body.id}`, { floor_price_cpm: 2 });
    const path = `/api/audit-trail?resource=${resource}`;
    const listed = await eventually('both entries', async () => {
      const { body } = await world.operator.api.get(path);
      return body.entries.length === 2 ? body.entries : null;
    });
    expect(listed.map(({ action }: { action: string }) => action)).to.deep.equal(['update', 'create']);
    expect([listed[0].before.floorCpmMicros, listed[0].after.floorCpmMicros]).to.deep.equal([0, 2_000_000]);
    expect(listed[0].actor).to.match(/^api-key\/[0-9a-f-]{36}$/);
    const first = (await world.operator.api.get(`${path}&limit=1`)).body;
    const second = (await world.operator.api.get(`${path}&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`))
      .body;
    expect([...first.entries, ...second.entries]).to.deep.equal(listed);
    expect(second.next_cursor).to.equal(null);
    const csv = await world.operator.api.get(path, { Accept: 'text/csv' });
    expect(csv.headers.get('content-type')).to.include('text/csv');
    const earlier = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
    const listedIn = async (range: string) => (await world.operator.api.get(`${path}&${range}`)).body.entries;
    expect(await listedIn(`until=${earlier}`)).to.deep.equal([]);
    expect(await listedIn(`from=${earlier}&until=9999-12-31T00:00:00Z`)).to.deep.equal(listed);
    expect(await listedIn('from=1960-01-01T00:00:00Z&until=1965-01-01T00:00:00Z')).to.deep.equal([]);
    for (const field of ['from', 'until']) {
      const answer = await world.operator.api.get(`${path}&${field}=2026-06-30T23:59:60Z`);
      expect(errorOf(answer)).to.equal(`400 INVALID_PARAMS ${field}`);
    }
  });

  it('is written once: nothing that is sent to an entry changes it', async () => {
    const [entry] = await entries();
    const { key, links, chain: _chain, ...rest } = entry!;
    const forged = { ...rest, action: 'forged', after: {} };
    const link = { index: 1, previous: links[0]!.hash, hash: linkHash(1, links[0]!.hash, { key, ...forged }) };
    await world.parts.messenger.ask(auditEntry, key, 'record', { ...forged, link });
    const [document] = await world.parts.store.load([{ kind: auditEntry.kind, id: key }]);
    expect(document?.state).to.deep.equal(entry);
  });

  it('saves an entry in the document of the change, so that a process killed between the two loses nothing', () => {
    const kind = new KindRegistry([account], 4).named(account.kind);
    const activation = new Activation(
      kind,
      'a',
      0,
      null,
      NO_BROKEN_LAWS,
      auditTrail((_kind, id) => id),
    );
    const by = {
      requestId: 'r',
      actor: 'user/u',
      accountId: 'a',
      address: '192.0.2.0/24',
      route: 'POST /api/accounts',
    };
    const ask = { askId: 'x', requestId: 'x', replyTo: 'me', keepMs: 1_000, by };
    const body = { name: 'New', tier: 'standard' };
    const envelope = { to: 'account/a', type: 'open', body, from: 'me', sequence: '1', ask };
    activation.handle({ position: '1700000000000-3', payload: '', index: 0 }, envelope, 1_000);
    const { state, outbox } = activation.document('a node');
    expect(state).to.include({ name: 'New' });
    expect(outbox.map(({ to, type }) => [to, type])).to.deep.equal([['audit-chain/2023-11-14.a', 'add']]);
    // Read again after the death, it leaves under the same id, which takes one entry alone.
    const again = new Activation(kind, 'a', 0, activation.document('a node'), NO_BROKEN_LAWS);
    expect(again.outbox).to.deep.equal(outbox);
  });

  it('shows neither the secrets in URLs nor what is under secret names, and bounds each field', () => {
    const after = {
      url: 'https://user:pw@hooks.example/a?key=1#x',
      sealedSecret: 'v1.x',
      long: 'x'.repeat(5_000),
      nested: [{ token: 't' }],
    };
    expect(changedFields('webhook', {}, after).after).to.deep.equal({
      url: 'https://hooks.example/a?(withheld)',
      sealedSecret: '(withheld)',
      long: '(5002 characters)',
      nested: [{ token: '(withheld)' }],
    });
  });
});
