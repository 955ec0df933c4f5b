import { expect } from 'chai';
import { LogUnavailable, Overloaded } from '#runtime/ports/errors';
import { START } from '#runtime/ports/position';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '#test/support/eventually';
import { freePort } from '#test/support/free-port';
import { redisUrl } from '#test/support/real-servers';
import { requireRedisServer, startRedisServer } from '#test/support/redis-server';
import { payloadsOf, readOne } from '../../log-contract/reading.ts';
import { openRedisHarness } from './redis-log-harness.ts';

/** As producers append. */
const BOUNDED = { maxLength: 1_000_000 };

/** The error of a call that must fail. */
async function failureOf(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => {
      throw new Error('the call went through');
    },
    (error: Error) => error,
  );
}

describe('the log in Redis, when things go wrong', () => {
  it('throws away a connection whose other end has silently gone, also under a blocked read', async function () {
    const harness = await openRedisHarness(redisUrl(this), { requestTimeoutMs: 300 });
    const { log } = harness.provider;
    try {
      await log.append(0, ['before']);
      const { last } = await log.tail(0);
      const reading = failureOf(readOne(log, 0, last, 10, 200));
      await log.tail(1);
      harness.proxy.stall();
      const began = performance.now();
      expect(await failureOf(log.append(0, ['lost']))).to.be.instanceOf(LogUnavailable);
      expect(performance.now() - began).to.be.below(3000);
      expect(await reading).to.be.instanceOf(LogUnavailable);
      await eventually('an append over a new connection', () => log.append(0, ['after']));
      const entries = await eventually('a read over a new connection', () => readOne(log, 0, last, 10, 1000));
      expect(entries.at(-1)!.payload).to.equal('after');
    } finally {
      await harness.close();
    }
  });

  it('receives replies again after the connection of its channels was silently lost', async function () {
    const harness = await openRedisHarness(redisUrl(this), { requestTimeoutMs: 200 });
    const { replies } = harness.provider;
    try {
      const heard: string[] = [];
      await replies.listen('me', (payload) => heard.push(payload));
      harness.proxy.stall();
      await eventually('a reply over a new connection', async () => {
        await replies.send('me', 'hello').catch(() => {});
        return heard.length > 0;
      });
    } finally {
      await harness.close();
    }
  });

  it('comes back however often and at whatever moment its connections break', async function () {
    const harness = await openRedisHarness(redisUrl(this));
    const { log, leases, catalogue, replies } = harness.provider;
    try {
      const heard: string[] = [];
      await replies.listen('me', (payload) => heard.push(payload));
      let breaking = true;
      const attempt = async (call: () => Promise<unknown>) => {
        while (breaking) {
          const outcome = await call().catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).to.be.instanceOf(LogUnavailable);
        }
      };
      const traffic = [
        attempt(() => log.append(0, ['a', 'b'])),
        attempt(() => log.read(new Map([[1, START]]), 10, 20)),
        attempt(() => leases.heartbeat('me', 1000, { fitness: 'fit', declines: [] })),
        attempt(() => catalogue.publish(['view'])),
        attempt(() => replies.send('me', 'hello')),
      ];
      for (let at = 0; at < 12; at++) {
        harness.proxy.cut();
        await harness.proxy.waitForAttempts(at % 3);
        harness.proxy.restore();
        await harness.proxy.waitForAttempts(1 + (at % 3));
      }
      breaking = false;
      await Promise.all(traffic);
      heard.length = 0;
      await eventually('a reply', async () => {
        await replies.send('me', 'again').catch(() => {});
        return heard.includes('again');
      });
      await eventually('the catalogue', async () => (await catalogue.tail()) > 0);
      const reading = readOne(log, 2, START, 10, 60_000);
      await log.append(2, ['and on']);
      expect((await reading).map(({ payload }) => payload)).to.deep.equal(['and on']);
    } finally {
      await harness.close();
    }
  });

  it('keeps what it acknowledged when Redis is killed and started again, and goes on by itself', async function () {
    requireRedisServer(this);
    const server = await startRedisServer();
    const provider = await openRedisLog({ url: server.url, partitions: 4, requestTimeoutMs: 2000 });
    const { log, leases } = provider;
    try {
      expect(provider.warnings).to.deep.equal([]);
      const acknowledged: string[] = [];
      let writing = true;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let at = 0; writing; at++) {
          const payload = `${writer}:${at}`;
          const outcome = await log.append(writer % 4, [payload]).catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).to.be.instanceOf(LogUnavailable);
          else acknowledged.push(payload);
        }
      });
      const [acquired] = await leases.acquire([0], 'owner', 60_000);
      await eventually('500 appends', () => acknowledged.length >= 500);
      await server.kill();
      const before = acknowledged.length;
      await server.start();
      await eventually('500 more appends', () => acknowledged.length >= before + 500);
      writing = false;
      await Promise.all(writers);

      const kept = (await Promise.all([0, 1, 2, 3].map((partition) => log.tail(partition)))).map(
        ({ length }) => length,
      );
      const all: string[] = [];
      for (const partition of [0, 1, 2, 3]) all.push(...(await payloadsOf(log, partition)));
      expect(all).to.have.length(kept.reduce((sum, length) => sum + length, 0));
      expect(new Set(all).size, 'nothing doubled').to.equal(all.length);
      const found = new Set(all);
      expect(acknowledged.filter((payload) => !found.has(payload))).to.deep.equal([]);
      expect(await leases.renew([acquired!.lease], 1000)).to.deep.equal([acquired!.lease]);
    } finally {
      await provider.close();
      await server.remove();
    }
  });

  it('refuses with Overloaded when Redis is out of memory, appending nothing, until trimming frees some', async function () {
    requireRedisServer(this);
    const server = await startRedisServer({ maxmemory: '4mb', appendonly: 'no' });
    const provider = await openRedisLog({ url: server.url, partitions: 4 });
    const { log } = provider;
    try {
      expect(provider.warnings.join()).to.include('appendonly no');
      const payload = 'x'.repeat(100_000);
      const error = await failureOf(
        (async () => {
          for (let at = 0; at < 100; at++) await log.append(0, at % 2 ? [payload] : [payload, payload], BOUNDED);
        })(),
      );
      expect(error).to.be.instanceOf(Overloaded);
      const { length, last } = await log.tail(0);
      expect(await failureOf(log.append(0, [payload, payload], BOUNDED))).to.be.instanceOf(Overloaded);
      const once = { id: 'a', bucketMs: 0, expiresAtMs: Date.now() + 60_000, payload };
      expect(await failureOf(log.appendOnce(0, [once]))).to.be.instanceOf(Overloaded);
      expect((await log.tail(0)).length).to.equal(length);

      expect(await log.append(0, ['caused']), 'what owners append goes in').to.have.length(1);
      expect(await log.append(0, ['caused', 'too'])).to.have.length(2);
      const [acquired] = await provider.leases.acquire([0], 'owner', 60_000);
      expect(await provider.leases.commit(acquired!.lease, last)).to.equal(true);
      await eventually('room again', () =>
        log.append(0, ['room'], BOUNDED).then(
          () => true,
          () => false,
        ),
      );
    } finally {
      await provider.close();
      await server.remove();
    }
  });

  it('fails to open, in time and with the reason, where no server listens', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const error = await failureOf(openRedisLog({ url, connectTimeoutMs: 200 }));
    expect(error).to.be.instanceOf(LogUnavailable);
    expect(error.message).to.include('ECONNREFUSED');
  });

  it('refuses more than its bound of waiting commands', async function () {
    const harness = await openRedisHarness(redisUrl(this), { maxWaiting: 10 });
    const { log } = harness.provider;
    try {
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, () => log.append(0, ['a']).catch((error: unknown) => error)),
      );
      expect(outcomes.filter((outcome) => outcome instanceof LogUnavailable)).to.have.length(20);
      expect((await readOne(log, 0, START)).length).to.equal(10);
    } finally {
      await harness.close();
    }
  });
});
