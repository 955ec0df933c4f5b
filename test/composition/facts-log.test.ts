import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { facts as factsKind } from '../../actors/facts/facts.ts';
import { hourLedgerId } from '../../actors/ledger/ledger-id.ts';
import { messagesOf } from '../../runtime/node/bundle.ts';
import { decodeEnvelope, encodeEnvelope } from '../../runtime/node/envelope.ts';
import { KindRegistry } from '../../runtime/node/kind-registry.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, startTestExchange } from '../support/exchange.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../support/redis-server.ts';
import { CountedMarket, metric } from './counted-market.ts';

const PARTITIONS = 8;

/** The types of messages that a log holds, and the number of entries that it ever had. */
async function entriesOf(server: RedisServer, prefix: string): Promise<{ types: Set<string>; added: number }> {
  const client = new Redis(server.url);
  const types = new Set<string>();
  let added = 0;
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const stream = `{${prefix}:${partition}}:stream`;
    for (const [position, fields] of await client.xrange(stream, '-', '+'))
      for (const { payload } of messagesOf({ position, payload: fields[1]! })) types.add(decodeEnvelope(payload).type);
    const about = (await client.xinfo('STREAM', stream).catch(() => [])) as unknown[];
    added += Number(about[about.indexOf('entries-added') + 1] ?? 0);
  }
  await client.quit();
  return { types, added };
}

describe('counts of edges with a Redis of their own', () => {
  let money: RedisServer;
  let facts: RedisServer;
  const prefix = `test-${randomUUID()}`;
  const environment = () => ({
    REDIS_URL: money.url,
    FACTS_REDIS_URL: facts.url,
    REDIS_PREFIX: prefix,
    PARTITIONS: String(PARTITIONS),
    SECRET_KEY: randomUUID(),
  });
  before(async function () {
    requireRedisServer(this);
    money = await startRedisServer();
  });
  beforeEach(async () => {
    facts = await startRedisServer({ appendfsync: 'everysec' });
  });
  afterEach(() => facts.remove());
  after(() => money?.remove());

  it('are in reports beside the money, and nothing of them is in the log of money', async function () {
    const market = await CountedMarket.open(await startTestExchange(this, 'embedded', environment()));
    try {
      await eventually('a first sale', () => market.sell());
      await market.sellTimes(9);
      await eventually('the report', async () => {
        const { auctions, impressions } = await market.report();
        return impressions === market.sold && auctions >= market.sold;
      });
      expect(await metric(market.exchange, 'exchange_facts_log_up')).to.equal(1);
      for (const log of ['main', 'facts'])
        expect(await metric(market.exchange, `actor_partitions_owned{log="${log}"}`), log).to.equal(PARTITIONS);
      const handled = 'actor_messages_total{kind="facts",outcome="applied",log="facts"}';
      expect(await metric(market.exchange, handled)).to.be.above(0);
      expect(
        await metric(market.exchange, 'actor_messages_total{kind="facts",outcome="rejected",log="facts"}'),
      ).to.equal(0);
      const inMoney = await entriesOf(money, prefix);
      expect([...inMoney.types]).to.not.include('facts');
      expect(inMoney.added).to.be.above(0);
      const inFacts = await entriesOf(facts, `${prefix}-facts`);
      expect(inFacts.added).to.be.above(0);
      for (const type of inFacts.types) expect(type).to.equal('facts');
    } finally {
      await market.close();
    }
  });

  it('are replayed in their log, and not in that of money, when a message of them was parked', async function () {
    const exchange = await startTestExchange(this, 'embedded', environment());
    try {
      const Cookie = await exchange.logIn();
      const call = (method: string, path: string, body?: unknown) =>
        callJson(method, `${exchange.baseUrl}${path}`, body, { Cookie });
      const log = await openRedisLog({ url: facts.url, prefix: `${prefix}-facts`, partitions: PARTITIONS });
      const to = `${factsKind.kind}/${hourLedgerId('publisher', 'publisher-a', Date.now(), false)}`;
      await log.log.append(new KindRegistry([factsKind], PARTITIONS).partitionOf(to), [
        encodeEnvelope({ to, type: 'hour', body: { hour: 'none' } }),
      ]);
      await log.close();
      const letters = async () =>
        (await call('GET', '/api/dead-letters')).body.letters as { letter_id: string; to: string }[];
      const parked = await eventually('the message to be parked', async () => (await letters())[0]);
      expect(parked).to.include({ to });
      expect(parked.letter_id).to.match(/^facts-/);
      const replayed = await call('POST', `/api/dead-letters/${parked.letter_id}/replay`, {});
      expect(replayed.status, JSON.stringify(replayed.body)).to.equal(200);
      const again = await eventually('it to be parked again, as nothing was mended', async () =>
        (await letters()).find(({ letter_id }) => letter_id !== parked.letter_id),
      );
      expect(again).to.include({ to });
      expect(again.letter_id, 'from the same log').to.match(/^facts-/);
      const discarded = await call('POST', `/api/dead-letters/${again.letter_id}/discard`, { reason: 'made up' });
      expect(discarded.status, JSON.stringify(discarded.body)).to.equal(200);
    } finally {
      await exchange.stop();
    }
  });

  it('wait while it is killed, with money untouched, and flow when it is back', async function () {
    const market = await CountedMarket.open(await startTestExchange(this, 'embedded', environment()));
    try {
      await eventually('a first sale', () => market.sell());
      await eventually('its count', async () => (await market.report()).auctions > 0);
      await facts.kill();
      await market.sellTimes(20);
      await eventually('the money of what was sold meanwhile', async () => {
        return (await market.report()).impressions === market.sold;
      });
      await eventually(
        'the edge to notice',
        async () => (await metric(market.exchange, 'exchange_facts_log_away')) === 1,
        {
          timeoutMs: 60_000,
        },
      );
      expect(await metric(market.exchange, 'exchange_facts_log_up')).to.equal(0);
      const ready = await callJson('GET', `${market.exchange.opsUrl}/readyz`);
      expect([ready.status, ready.body.missing]).to.deep.equal([200, []]);
      const { auctions } = await market.report();
      await market.sellTimes(30);
      await facts.start();
      await eventually('the counts that waited', async () => (await market.report()).auctions >= auctions + 30, {
        timeoutMs: 60_000,
      });
      expect(await metric(market.exchange, 'exchange_facts_log_away')).to.equal(0);
      await eventually('all money', async () => (await market.report()).impressions === market.sold);
    } finally {
      await market.close();
    }
  });

  it('do not keep a process from starting and from ending while it is away', async function () {
    await facts.kill();
    const market = await CountedMarket.open(
      await startTestExchange(this, 'embedded', { ...environment(), START_WAIT_SECONDS: '0' }),
    );
    try {
      await eventually('a first sale', () => market.sell());
      await eventually('its money', async () => (await market.report()).impressions > 0);
      expect((await market.report()).auctions).to.equal(0);
      await facts.start();
      await eventually('its count', async () => (await market.report()).auctions > 0, { timeoutMs: 60_000 });
      await facts.kill();
      await market.sell();
    } finally {
      const stoppedAtMs = performance.now();
      await market.close();
      expect(performance.now() - stoppedAtMs).to.be.below(20_000);
    }
  });
});
