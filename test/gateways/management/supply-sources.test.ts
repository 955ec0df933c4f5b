import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/supply sources on ${pair}`, () => {
    let running: RunningManagement;
    let api: ManagementClient;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      api = running.api;
    });
    after(() => running?.close());

    const fields = (more: object = {}) => ({ name: `Source ${++names}`, domain: 'news.example', type: 'web', ...more });
    const create = async (more: object = {}, client = api) => {
      const answer = await client.post('/api/supply/sources', fields(more));
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };

    describe('create', () => {
      it('answers 201 with the whole resource, and reads it back', async () => {
        const created = await create({ floor_price_cpm: 1.25, content_genre: 'news' });
        expect(created).to.deep.include({
          domain: 'news.example',
          type: 'web',
          status: 'active',
          sandbox: false,
          pool_id: null,
          floor_price_cpm: 1.25,
          content_genre: 'news',
        });
        expect(created.created_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect((await api.get(`/api/supply/sources/${created.id}`)).body).to.deep.equal(created);
      });

      it('defaults the floor to 0', async () => {
        expect((await create()).floor_price_cpm).to.equal(0);
      });

      for (const field of ['name', 'domain', 'type']) {
        it(`answers 400 INVALID_PARAMS without ${field}`, async () => {
          const answer = await api.post('/api/supply/sources', fields({ [field]: undefined }));
          expect(errorOf(answer)).to.equal(`400 INVALID_PARAMS ${field}`);
        });
      }

      const wrong: readonly [string, unknown][] = [
        ['name', 7],
        ['name', ' '],
        ['name', 'x'.repeat(121)],
        ['name', '\ud800'],
        ['type', 'radio'],
        ['domain', 'https://news.example/'],
        ['floor_price_cpm', -1],
        ['floor_price_cpm', '1'],
        ['floor_price_cpm', 1001],
        ['sandbox', 'true'],
        ['pool_id', 'none'],
        ['pool_id', absentId],
        ['content_genre', ''],
        ['blocked_categories', 'IAB1'],
        ['flor_price_cpm', 1],
      ];
      for (const [field, value] of wrong) {
        it(`answers 400 VALIDATION_ERROR for ${field} = ${JSON.stringify(value).slice(0, 40)}`, async () => {
          const answer = await api.post('/api/supply/sources', fields({ [field]: value }));
          expect(errorOf(answer)).to.equal(`400 VALIDATION_ERROR ${field}`);
        });
      }

      it('answers 409 to a second one of the same name, whatever its case', async () => {
        const { name } = await create();
        const answer = await api.post('/api/supply/sources', fields({ name: name.toUpperCase() }));
        expect(errorOf(answer)).to.equal('409 CONFLICT');
      });

      it('gives a name to exactly one of many who ask at once', async () => {
        const body = fields({ name: 'Wanted by all' });
        const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/api/supply/sources', body)));
        expect(answers.map(errorOf).filter((outcome) => outcome === '409 CONFLICT')).to.have.length(7);
        expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      });

      it('answers a repeated Idempotency-Key with what the first request made', async () => {
        const body = fields();
        const headers = { 'Idempotency-Key': 'create-once' };
        const [one, two] = await Promise.all([
          api.post('/api/supply/sources', body, headers),
          api.post('/api/supply/sources', body, headers),
        ]);
        const three = await api.post('/api/supply/sources', body, headers);
        expect([one.status, two.status, three.status]).to.deep.equal([201, 201, 201]);
        expect(two.body).to.deep.equal(one.body);
        expect(three.body).to.deep.equal(one.body);
        expect((await api.get(`/api/supply/sources/${one.body.id}`)).body).to.deep.equal(one.body);
        await api.put(`/api/supply/sources/${one.body.id}`, { floor_price_cpm: 5 });
        expect((await api.post('/api/supply/sources', body, headers)).body).to.deep.equal(one.body);
      });

      it('takes another request under the same Idempotency-Key as another request', async () => {
        const headers = { 'Idempotency-Key': 'used-twice' };
        const one = await api.post('/api/supply/sources', fields(), headers);
        const two = await api.post('/api/supply/sources', fields(), headers);
        expect([one.status, two.status]).to.deep.equal([201, 201]);
        expect(two.body.id).not.to.equal(one.body.id);
      });
    });

    describe('update', () => {
      it('changes only the fields given', async () => {
        const created = await create({ floor_price_cpm: 2, content_genre: 'news' });
        const answer = await api.put(`/api/supply/sources/${created.id}`, { floor_price_cpm: 0.000001 });
        expect(answer.status).to.equal(200);
        expect({ ...answer.body, updated_at: created.updated_at }).to.deep.equal({
          ...created,
          floor_price_cpm: 0.000001,
        });
      });

      it('loses none of several changes made at once', async () => {
        const { id } = await create();
        const changes = [
          { floor_price_cpm: 3 },
          { content_genre: 'sport' },
          { domain: 'sport.example' },
          { type: 'ctv' },
          { name: 'Renamed among others' },
          { blocked_categories: ['IAB25'] },
        ];
        const answers = await Promise.all(changes.map((change) => api.put(`/api/supply/sources/${id}`, change)));
        expect(answers.map(({ status }) => status)).to.deep.equal(changes.map(() => 200));
        expect((await api.get(`/api/supply/sources/${id}`)).body).to.deep.include(Object.assign({}, ...changes));
      });

      it('frees the old name and takes the new one', async () => {
        const first = await create();
        const renamed = await api.put(`/api/supply/sources/${first.id}`, { name: 'Renamed' });
        expect(renamed.body.name).to.equal('Renamed');
        expect(errorOf(await api.post('/api/supply/sources', fields({ name: 'renamed' })))).to.equal('409 CONFLICT');
        await eventually('the old name is free', async () => {
          const answer = await api.post('/api/supply/sources', fields({ name: first.name }));
          return answer.status === 201;
        });
      });

      it('refuses a name that another source has, and changes nothing', async () => {
        const [one, two] = [await create(), await create()];
        const answer = await api.put(`/api/supply/sources/${two.id}`, { name: one.name, floor_price_cpm: 9 });
        expect(errorOf(answer)).to.equal('409 CONFLICT');
        expect((await api.get(`/api/supply/sources/${two.id}`)).body).to.deep.equal(two);
      });

      it('lets two sources swap their names by way of a third', async () => {
        const [one, two] = [await create(), await create()];
        const rename = (id: string, name: string) =>
          eventually(`${id} is called ${name}`, async () => {
            return (await api.put(`/api/supply/sources/${id}`, { name })).status === 200;
          });
        await rename(one.id, 'On the way');
        await rename(two.id, one.name);
        await rename(one.id, two.name);
        expect((await api.get(`/api/supply/sources/${one.id}`)).body.name).to.equal(two.name);
        expect((await api.get(`/api/supply/sources/${two.id}`)).body.name).to.equal(one.name);
        expect(errorOf(await api.post('/api/supply/sources', fields({ name: two.name })))).to.equal('409 CONFLICT');
      });

      it('answers 400 to a null name, 404 to an unknown or malformed id', async () => {
        const { id } = await create();
        expect(errorOf(await api.put(`/api/supply/sources/${id}`, { name: null }))).to.equal(
          '400 VALIDATION_ERROR name',
        );
        expect(errorOf(await api.put(`/api/supply/sources/${absentId}`, {}))).to.equal('404 NOT_FOUND');
        expect(errorOf(await api.put('/api/supply/sources/7', {}))).to.equal('404 NOT_FOUND');
      });
    });

    describe('archive', () => {
      it('is final: 200 again with the same body, and every change refused', async () => {
        const { id } = await create();
        const first = await api.delete(`/api/supply/sources/${id}`);
        expect([first.status, first.body.status]).to.deep.equal([200, 'archived']);
        const second = await api.delete(`/api/supply/sources/${id}`);
        expect([second.status, second.body]).to.deep.equal([200, first.body]);
        expect(errorOf(await api.put(`/api/supply/sources/${id}`, { floor_price_cpm: 1 }))).to.equal('409 CONFLICT');
        expect(errorOf(await api.put(`/api/supply/sources/${id}`, { name: 'Risen' }))).to.equal('409 CONFLICT');
        expect((await api.get(`/api/supply/sources/${id}`)).body).to.deep.equal(first.body);
      });

      it('frees the name', async () => {
        const { id, name } = await create();
        await api.delete(`/api/supply/sources/${id}`);
        await eventually('the name is free', async () => {
          return (await api.post('/api/supply/sources', fields({ name }))).status === 201;
        });
      });
    });

    describe('list', () => {
      it('pages, oldest first, and counts all', async () => {
        const own = await running.newAccount();
        const made = [];
        for (let index = 0; index < 5; index++) made.push((await create({}, own.api)).id);
        const pages = [];
        for (const page of [1, 2, 3, 4]) {
          const { body } = await own.api.get(`/api/supply/sources?per_page=2&page=${page}`);
          expect([body.total, body.page]).to.deep.equal([5, page]);
          pages.push(body.publishers);
        }
        expect(pages.map((page) => page.length)).to.deep.equal([2, 2, 1, 0]);
        expect(pages.flat().map(({ id }) => id)).to.have.members(made);
        const times = pages.flat().map(({ created_at: createdAt }) => createdAt);
        expect(times).to.deep.equal([...times].sort());
      });

      it('filters by status', async () => {
        const own = await running.newAccount();
        const [kept, archived] = [await create({}, own.api), await create({}, own.api)];
        const sandbox = await create({ sandbox: true }, own.api);
        await own.api.delete(`/api/supply/sources/${archived.id}`);
        const ids = async (query: string) =>
          (await own.api.get(`/api/supply/sources${query}`)).body.publishers.map(({ id }: { id: string }) => id);
        expect(await ids('?status=active')).to.deep.equal([kept.id]);
        expect(await ids('?status=archived')).to.deep.equal([archived.id]);
        expect(await ids('?status=sandbox')).to.deep.equal([sandbox.id]);
        expect(await ids('')).to.have.members([kept.id, archived.id]);
      });

      for (const query of [
        'per_page=201',
        'per_page=0',
        'page=0',
        'page=x',
        'page=1.5',
        'page=',
        'status=gone',
        'page=1&page=2',
      ]) {
        it(`answers 400 INVALID_PARAMS to ${query}`, async () => {
          const answer = await api.get(`/api/supply/sources?${query}`);
          expect(errorOf(answer)).to.equal(`400 INVALID_PARAMS ${query.split('=')[0]}`);
        });
      }
    });

    describe('the sandbox', () => {
      it('holds its own sources: a live one does not exist there', async () => {
        const own = await running.newAccount();
        const live = await create({}, own.api);
        const inSandbox = own.api.as({ 'X-Sandbox': 'true' });
        const made = await create({}, inSandbox);
        expect([made.status, made.sandbox]).to.deep.equal(['sandbox', true]);
        const { body } = await inSandbox.get('/api/supply/sources');
        expect(body.publishers).to.deep.equal([made]);
        expect((await own.api.get('/api/supply/sources?sandbox=true')).body.publishers).to.deep.equal([made]);
        expect(errorOf(await inSandbox.get(`/api/supply/sources/${live.id}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await inSandbox.delete(`/api/supply/sources/${live.id}`))).to.equal('404 NOT_FOUND');
      });

      it('is all that a sandbox key reaches, whatever it says', async () => {
        const own = await running.newAccount();
        const live = await create({}, own.api);
        const made = await create({}, own.sandboxApi);
        expect(made.status).to.equal('sandbox');
        expect(errorOf(await own.sandboxApi.get(`/api/supply/sources/${live.id}?sandbox=false`))).to.equal(
          '404 NOT_FOUND',
        );
        const liveOne = await own.sandboxApi.post('/api/supply/sources', fields({ sandbox: false }));
        expect(errorOf(liveOne)).to.equal('403 FORBIDDEN');
        const contradiction = await own.api.post('/api/supply/sources?sandbox=true', fields({ sandbox: false }));
        expect(errorOf(contradiction)).to.equal('400 VALIDATION_ERROR sandbox');
        const moved = await own.sandboxApi.put(`/api/supply/sources/${made.id}`, { sandbox: false });
        expect(errorOf(moved)).to.equal('403 FORBIDDEN');
      });

      it('is left by sandbox: false, under the same name unless a live source has it', async () => {
        const own = await running.newAccount();
        const made = await create({ sandbox: true }, own.api);
        const other = await create({ name: made.name }, own.api);
        const refused = await own.api.put(`/api/supply/sources/${made.id}`, { sandbox: false });
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        const moved = await own.api.put(`/api/supply/sources/${made.id}`, { sandbox: false, name: 'Its own' });
        expect([moved.status, moved.body.status, moved.body.sandbox]).to.deep.equal([200, 'active', false]);
        expect(
          (await own.api.get('/api/supply/sources')).body.publishers.map(({ id }: { id: string }) => id),
        ).to.have.members([other.id, made.id]);
      });

      it('answers 400 to a switch that is neither true nor false', async () => {
        expect(errorOf(await api.get('/api/supply/sources?sandbox=yes'))).to.equal('400 INVALID_PARAMS sandbox');
        const byHeader = await api.get('/api/supply/sources', { 'X-Sandbox': '1' });
        expect(errorOf(byHeader)).to.equal('400 INVALID_PARAMS X-Sandbox');
      });
    });

    describe('partners', () => {
      it('see their own sources only; the account sees all', async () => {
        const own = await running.newAccount();
        const partner = async (name: string) => (await own.api.post('/api/partners', { name })).body.id as string;
        const [partnerOne, partnerTwo] = [await partner('One'), await partner('Two')];
        const one = own.api.as({ 'X-User-Partner-ID': partnerOne });
        const two = own.api.as({ 'X-User-Partner-ID': partnerTwo });
        const [ofOne, ofTwo] = [await create({}, one), await create({}, two)];
        expect(ofOne.partner_id).to.equal(partnerOne);
        expect((await one.get('/api/supply/sources')).body.publishers).to.deep.equal([ofOne]);
        expect(errorOf(await one.get(`/api/supply/sources/${ofTwo.id}`))).to.equal('404 NOT_FOUND');
        expect((await own.api.get('/api/supply/sources')).body.total).to.equal(2);
        const given = await one.put(`/api/supply/sources/${ofOne.id}`, { partner_id: partnerTwo });
        expect(errorOf(given)).to.equal('403 FORBIDDEN');
      });
    });

    it('does not exist for another account', async () => {
      const { id } = await create();
      const other = await running.newAccount();
      expect(errorOf(await other.api.get(`/api/supply/sources/${id}`))).to.equal('404 NOT_FOUND');
      expect(errorOf(await other.api.put(`/api/supply/sources/${id}`, { name: 'Mine' }))).to.equal('404 NOT_FOUND');
      expect(errorOf(await other.api.delete(`/api/supply/sources/${id}`))).to.equal('404 NOT_FOUND');
      expect((await other.api.get('/api/supply/sources')).body).to.deep.equal({ publishers: [], total: 0, page: 1 });
    });
  });
