import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';

const sides = [
  {
    kind: 'publisher',
    prefix: 'pub',
    sources: '/api/supply/sources',
    report: '/api/source/report',
    other: '/api/demand/report',
  },
  {
    kind: 'dsp',
    prefix: 'dsp',
    sources: '/api/demand/sources',
    report: '/api/demand/report',
    other: '/api/source/report',
  },
] as const;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: source keys, on ${pair}`, () => {
    let running: RunningManagement;
    let ann: UserClient;

    before(async function () {
      running = await startManagement(this, pair);
      ann = await running.newUser(running.accountId);
    });
    after(() => running?.close());

    for (const { kind, prefix, sources, report, other } of sides) {
      describe(`of a ${kind}`, () => {
        let path: string;
        beforeEach(async () => {
          const fields = prefix === 'pub' ? { domain: 'd.example', type: 'web' } : { mode: 'delegate' };
          const { body } = await running.api.post(sources, { name: randomUUID(), ...fields });
          path = `${sources}/${body.id}`;
        });
        const make = async () => {
          const answer = await ann.api.post(`${path}/key`);
          expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
          return answer.body.key as string;
        };
        const read = (key: string, target: string = report) => running.anonymous.get(target, { 'X-API-Key': key });

        it('are made and read back by a user, and are not there before', async () => {
          expect(errorOf(await ann.api.get(`${path}/key`))).to.equal('404 NOT_FOUND');
          const key = await make();
          expect(key).to.match(new RegExp(`^${prefix}_\\d{10}_[0-9a-f]{40}$`));
          expect(Number(key.split('_')[1])).to.be.closeTo(Date.now() / 1000, 60);
          const shown = await ann.api.get(`${path}/key`);
          expect(shown.body.key).to.equal(key);
          expect(shown.headers.get('cache-control')).to.equal('no-store');
        });

        it('are kept sealed', async () => {
          const key = await make();
          const [document] = await running.store.load([{ kind, id: path.split('/').at(-1)! }]);
          expect(document?.state).to.have.nested.property('sourceKey.sealed');
          expect(JSON.stringify(document)).not.to.include(key);
          expect(JSON.stringify(document)).not.to.include(key.split('_')[2]);
        });

        it('read their source’s report and nothing else', async () => {
          const key = await make();
          const answer = await read(key);
          expect(answer.status).to.equal(200);
          expect(answer.body[`${kind}_id`]).to.equal(path.split('/').at(-1));
          for (const target of [other, path, sources, '/api/metrics', `${path}/key`, '/api/keys']) {
            expect(errorOf(await read(key, target)), target).to.equal('403 FORBIDDEN');
          }
        });

        it('replace each other', async () => {
          const [first, second] = [await make(), await make()];
          expect(second).not.to.equal(first);
          expect([(await read(first)).status, (await read(second)).status]).to.deep.equal([401, 200]);
        });

        it('come back when the same request comes again', async () => {
          const headers = { 'Idempotency-Key': randomUUID() };
          const first = await ann.api.post(`${path}/key`, undefined, headers);
          expect((await ann.api.post(`${path}/key`, undefined, headers)).body).to.deep.equal(first.body);
        });

        it('outlive their source, whose statements are read with them', async () => {
          const key = await make();
          await running.api.delete(path);
          expect((await read(key)).status).to.equal(200);
          const anew = await make();
          expect((await read(anew)).status).to.equal(200);
          expect(errorOf(await read(key))).to.equal('401 UNAUTHORIZED');
        });

        it('are for users of the account alone', async () => {
          await make();
          const stranger = await running.newUser((await running.newAccount()).accountId);
          expect(errorOf(await running.api.get(`${path}/key`))).to.equal('403 FORBIDDEN');
          expect(errorOf(await running.api.post(`${path}/key`))).to.equal('403 FORBIDDEN');
          expect(errorOf(await stranger.api.get(`${path}/key`))).to.equal('404 NOT_FOUND');
          expect(errorOf(await stranger.api.post(`${path}/key`))).to.equal('404 NOT_FOUND');
        });

        it('that were never issued are 401', async () => {
          const key = await make();
          const last = key.at(-1) === '0' ? '1' : '0';
          for (const wrong of [
            `${key.slice(0, -1)}${last}`,
            `${prefix}_1700000000_${'0'.repeat(40)}`,
            `${prefix}_x`,
            prefix,
          ]) {
            expect(errorOf(await read(wrong)), wrong).to.equal('401 UNAUTHORIZED');
          }
        });
      });
    }
  });
