import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { vastUrl } from '../../support/shared-creative-origin.ts';
import { bookLedgers } from './book-ledgers.ts';
import type { ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const writers = 12;
const budgetOf = (id: string) => `/api/demand/dsp/${id}/budget`;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/preconditions on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let session: ManagementClient;
    let operator: ManagementClient;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      session = (await running.newUser(own.accountId)).api;
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(() => running?.close());

    const made = async (path: string, body: object, client = own.api): Promise<string> => {
      const answer = await client.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const name = () => `Name ${++names}`;
    const newSource = (body: object = {}) =>
      made('/api/supply/sources', { name: name(), domain: 'd.example', type: 'web', ...body });
    const newDelegate = () => made('/api/demand/sources', { name: name(), mode: 'delegate' });
    const newPool = () => made('/api/supply/pools', { name: name() });
    const campaign = (dspId: string) => ({
      dsp_id: dspId,
      campaign_id: name(),
      campaign_name: 'Spring',
      bidding: { base_cpm: 1 },
      creative: { creative_id: 'c1', vast_url: vastUrl('v') },
    });
    const strategy = (dspId: string, bid: number) => ({
      version: '1.0',
      dsp_id: dspId,
      default_bid: bid,
      campaigns: [],
      rules: [],
    });

    interface Contested {
      readonly what: string;
      /** The path of something new. */
      make(): Promise<string>;
      readonly body: (path: string, number: number) => object;
      readonly client?: () => ManagementClient;
    }
    const contested: Contested[] = [
      {
        what: 'a supply source',
        make: async () => `/api/supply/sources/${await newSource()}`,
        body: (_path, floor_price_cpm) => ({ floor_price_cpm }),
      },
      {
        what: 'the name of a supply source',
        make: async () => `/api/supply/sources/${await newSource()}`,
        body: (path, number) => ({ name: `${path} ${number}` }),
      },
      {
        what: 'a demand source',
        make: async () => `/api/demand/sources/${await newDelegate()}`,
        body: (_path, number) => ({ timeout_ms: number + 1 }),
      },
      {
        what: 'a budget',
        make: async () => budgetOf(await newDelegate()),
        body: (_path, daily_budget_cents) => ({ daily_budget_cents }),
      },
      {
        what: 'a pool',
        make: async () => `/api/supply/pools/${await newPool()}`,
        body: (_path, floor_price_cpm) => ({ floor_price_cpm }),
      },
      {
        what: 'a partner',
        make: async () => `/api/partners/${await made('/api/partners', { name: name() })}`,
        body: (path, number) => ({ name: `${path} ${number}` }),
      },
      {
        what: 'a campaign',
        make: async () => `/api/campaigns/${await made('/api/campaigns', campaign(await newDelegate()))}`,
        body: (_path, priority) => ({ priority }),
      },
      {
        what: 'a strategy',
        make: async () => {
          const id = await newDelegate();
          const path = `/api/demand/sources/${id}/strategy`;
          expect((await own.api.put(path, strategy(id, 50))).status).to.equal(200);
          return path;
        },
        body: (path, number) => strategy(path.split('/')[4]!, number + 1),
      },
      {
        what: 'the account',
        make: async () => '/api/account',
        body: (_path, number) => ({ name: `Account ${number}` }),
        client: () => session,
      },
      {
        what: 'a fee',
        make: async () => `/api/fees/${await newSource()}`,
        body: (_path, fee_percent) => ({ fee_percent }),
        client: () => operator,
      },
    ];

    for (const { what, make, body, client = () => own.api } of contested) {
      it(`of ${writers} who saw the same revision of ${what} exactly one changes it`, async () => {
        const path = await make();
        const tag = (await client().get(path)).headers.get('etag')!;
        const answers = await Promise.all(
          Array.from({ length: writers }, (_, number) => client().put(path, body(path, number), { 'If-Match': tag })),
        );
        const statuses = answers.map(({ status }) => status).sort();
        expect(statuses).to.deep.equal([200, ...Array(writers - 1).fill(412)]);
        const winner = answers.find(({ status }) => status === 200)!;
        const now = await client().get(path);
        expect([now.body, now.headers.get('etag')]).to.deep.equal([winner.body, winner.headers.get('etag')]);
        expect(Number.parseInt(now.headers.get('etag')!.slice(1), 10)).to.equal(Number.parseInt(tag.slice(1), 10) + 1);
      });
    }

    it('lets a change that was 412 through with the right tag, under the same Idempotency-Key', async () => {
      const path = `/api/supply/sources/${await newSource()}`;
      const put = (tag: string) =>
        own.api.put(path, { floor_price_cpm: 3 }, { 'If-Match': tag, 'Idempotency-Key': 'one change' });
      const tag = (await own.api.get(path)).headers.get('etag')!;
      expect((await put('"999"')).status).to.equal(412);
      const changed = await put(tag);
      expect([changed.status, changed.body.floor_price_cpm]).to.deep.equal([200, 3]);
      const again = await put(tag);
      expect([again.status, again.body]).to.deep.equal([200, changed.body]);
    });

    it('a pool that has gained a member is a new version to a client that knows it, and may be changed all the same', async () => {
      const id = await newPool();
      const path = `/api/supply/pools/${id}`;
      const tag = (await own.api.get(path)).headers.get('etag')!;
      expect((await own.api.get(path, { 'If-None-Match': tag })).status).to.equal(304);
      await newSource({ pool_id: id });
      const news = await own.api.get(path, { 'If-None-Match': tag });
      expect([news.status, news.body?.publisher_count]).to.deep.equal([200, 1]);
      await own.api.post(`/api/demand/sources/${await newDelegate()}/pools/${id}`);
      const more = await own.api.get(path, { 'If-None-Match': news.headers.get('etag')! });
      expect([more.status, more.body?.dsp_count]).to.deep.equal([200, 1]);
      expect((await own.sandboxApi.get(path, { 'If-None-Match': more.headers.get('etag')! })).status).to.equal(200);
      expect((await own.api.put(path, { floor_price_cpm: 2 }, { 'If-Match': tag })).status).to.equal(200);
      expect((await own.api.put(path, { floor_price_cpm: 3 }, { 'If-Match': tag })).status).to.equal(412);
    });

    it('a budget of which something was spent is a new version to a client that knows it, and may be changed all the same', async () => {
      const [id, publisher] = [await newDelegate(), await newSource()];
      const before = await own.api.get(budgetOf(id));
      const tag = before.headers.get('etag')!;
      expect((await own.api.get(budgetOf(id), { 'If-None-Match': tag })).status).to.equal(304);
      await bookLedgers(running, [{ scope: 'dsp', id, counterparty: publisher }]);
      const news = await own.api.get(budgetOf(id), { 'If-None-Match': tag });
      expect([news.status, news.body?.spent_today_cents]).to.deep.equal([200, 250]);
      expect((await own.api.put(budgetOf(id), { daily_budget_cents: 9 }, { 'If-Match': tag })).status).to.equal(200);
    });
  });
