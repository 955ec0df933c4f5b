import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { feedPositionAt } from '#gateways/management/resources/feed/cursor';
import { readChangedCreatives } from '#gateways/management/resources/feed/read-creatives';
import { type EmbeddedStoreAlone, openStoreAlone } from '#test/scheduler/jobs/embedded-store';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { loadCreativeState, tellSeen } from '#test/support/seen-creative';
import { errorOf } from '../management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../running-management.ts';

const START_MS = Date.UTC(2026, 2, 14, 12);

describe('gateways/management/feed: creatives that have changed', () => {
  let alone: EmbeddedStoreAlone;
  beforeEach(async () => {
    alone = await openStoreAlone();
  });
  afterEach(() => alone.close());

  const put = (id: string, atMs: number, fields: object = {}, version = 1) => {
    const state = {
      ...creative.initial(id),
      ...{ dspId: 'dsp', accountId: 'acct', changedAt: new Date(START_MS + atMs).toISOString() },
      ...fields,
    };
    return alone.put(creative.kind, id, state, { version });
  };
  const readAll = async (limit: number) => {
    const ids: string[] = [];
    let after = feedPositionAt(0);
    for (;;) {
      const read = await readChangedCreatives(
        alone.store,
        { dspId: 'dsp', sandbox: false },
        { after, throughMs: START_MS + 1_000, limit },
      );
      expect(read.changed.length).to.be.at.most(limit);
      ids.push(...read.changed.map(({ id }) => id));
      after = read.next;
      if (!read.hasMore) return { ids, after };
      expect(read.changed, 'a page that goes on has events').not.to.be.empty;
    }
  };

  it('are read once each, in the order of their changes, also where many changed at once', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 40; index++) {
      const id = `c${String(index).padStart(2, '0')}`;
      // Thirty within one millisecond.
      await put(id, index < 30 ? 5 : index);
      expected.push(id);
    }
    await put('later', 1_000);
    await put('earlier', 4, { dspId: 'another' });
    await put('sandbox', 4, { sandbox: true });
    for (const limit of [1, 3, 29, 30, 100]) {
      const { ids, after } = await readAll(limit);
      expect(ids, `in pages of ${limit}`).to.deep.equal(expected);
      expect(after).to.equal(feedPositionAt(START_MS + 1_000));
    }
  });

  it('come again when they change again', async () => {
    await put('a', 1);
    await put('b', 2);
    const of = { dspId: 'dsp', sandbox: false };
    const first = await readChangedCreatives(alone.store, of, {
      ...{ after: feedPositionAt(0), throughMs: START_MS + 1_000, limit: 1 },
    });
    await put('a', 3, {}, 2);
    const rest = { after: first.next, throughMs: START_MS + 1_000, limit: 10 };
    const second = await readChangedCreatives(alone.store, of, rest);
    expect([first, second].map(({ changed }) => changed.map(({ id }) => id))).to.deep.equal([['a'], ['b', 'a']]);
  });
});

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/feed of creatives on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let dspId: string;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      const body = { name: 'Bidder', mode: 'rtb', endpoint_url: 'https://bidder.example/bid' };
      dspId = (await own.api.post('/api/demand/sources', body)).body.id;
    });
    after(() => running?.close());

    const read = async (cursor?: string) => {
      const query = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { status, body } = await own.api.get(`/api/dsp/${dspId}/feed?type=creative${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const passBooks = (throughMs: number) =>
      running.node.messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs });

    it('tells of each when the books have come so far, and again after a decision', async () => {
      const id = await tellSeen(running.parts, { accountId: own.accountId, dspId, crid: 'spring' });
      expect((await read()).events, 'before the books have come').to.deep.equal([]);
      const firstChange = Date.parse((await loadCreativeState(running.parts, id))!.changedAt);
      await passBooks(firstChange + 1);
      const first = await read();
      expect(first.events).to.have.lengthOf(1);
      expect(first.events[0]).to.deep.include({ type: 'creative', sandbox: false });
      expect(first.events[0].creative).to.deep.include({
        id,
        creative_id: 'spring',
        scan_status: 'pending',
        decisions: [],
      });
      expect((await read(first.next_cursor)).events).to.deep.equal([]);

      const { body: rule } = await own.api.post(`/api/creatives/${id}/block`, { scope: 'account', reason: 'Loud' });
      const state = await eventually('the creative to be told', async () => {
        const now = await loadCreativeState(running.parts, id);
        return now !== null && now.decisions.length > 0 ? now : null;
      });
      await passBooks(Date.parse(state.changedAt) + 1);
      const second = await read(first.next_cursor);
      expect(second.events[0].creative.decisions).to.deep.equal([
        {
          ...{ scope: 'account', scope_id: own.accountId, decision: 'block', reason: 'Loud' },
          decided_at: state.decisions[0]!.decidedAt,
        },
      ]);
      expect(second.events[0].id).to.not.equal(first.events[0].id);
      expect(rule.id).to.be.a('string');
      const [stored] = await running.store.load([{ kind: creativeRule.kind, id: rule.id }]);
      expect(stored?.state).to.include({ decision: 'block' });
    });

    it('has cursors of its own', async () => {
      const { next_cursor: ofCreatives } = await read();
      const { next_cursor: ofEvents } = (await own.api.get(`/api/dsp/${dspId}/feed`)).body;
      for (const [type, cursor] of [
        ['creative', ofEvents],
        ['win', ofCreatives],
      ]) {
        const answer = await own.api.get(`/api/dsp/${dspId}/feed?type=${type}&cursor=${cursor}`);
        expect(errorOf(answer)).to.equal('400 INVALID_PARAMS cursor');
        expect(answer.body.error.message).to.equal('cursor is of another feed.');
      }
    });
  });
