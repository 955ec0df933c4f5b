import { expect } from 'chai';
import type { LogProvider } from '#runtime/ports/log-provider';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { parseRedisUrl } from '#runtime/providers/redis/redis-url';
import { redisUrl } from '#test/support/real-servers';
import { requireRedisServer, startRedisServer } from '#test/support/redis-server';
import { openRedisHarness } from './redis-log-harness.ts';

const IMPRESSION = { id: 'one', bucketMs: 0, expiresAtMs: Date.now() + 3_600_000, payload: 'paid' };

describe('a Redis address', () => {
  it('is one server', () => {
    expect(parseRedisUrl('redis://localhost')).to.deep.equal({
      nodes: [{ host: 'localhost', port: 6379 }],
      cluster: false,
      options: {},
    });
    expect(parseRedisUrl('rediss://me:p%40ss@redis.example:7000/3')).to.deep.equal({
      nodes: [{ host: 'redis.example', port: 7000 }],
      cluster: false,
      options: { username: 'me', password: 'p@ss', db: 3, tls: { servername: 'redis.example' } },
    });
    expect(parseRedisUrl('redis://[::1]:7000').nodes).to.deep.equal([{ host: '::1', port: 7000 }]);
  });

  it('is a Redis Cluster', () => {
    const nodes = [
      { host: 'a', port: 7000 },
      { host: 'b', port: 7001 },
    ];
    expect(parseRedisUrl('redis://:secret@a:7000, redis://b:7001')).to.deep.equal({
      nodes,
      cluster: true,
      options: { password: 'secret' },
    });
    expect(parseRedisUrl('redis://a:7000,b:7001')).to.deep.include({ nodes, cluster: true });
    expect(parseRedisUrl('redis://a:7000?cluster=true')).to.deep.include({ nodes: [nodes[0]], cluster: true });
  });

  for (const [wrong, complaint] of [
    ['', 'is not of the form'],
    ['http://localhost', 'is not of the form'],
    ['redis://', 'is not of the form'],
    ['redis://localhost/three', 'no number of a database'],
    ['redis://a/1,redis://b/1', 'no database but 0'],
  ] as const) {
    it(`is not "${wrong}"`, () => {
      expect(() => parseRedisUrl(wrong)).to.throw(RangeError, complaint);
    });
  }

  it('does not show its password in a complaint', () => {
    expect(() => parseRedisUrl('http://me:secret@localhost')).to.throw(/^(?!.*secret)/);
  });
});

describe('opening the log in Redis', () => {
  it('keeps the number of partitions that was chosen first, and says so', async function () {
    const harness = await openRedisHarness(redisUrl(this), { partitions: 5 });
    try {
      const other = await openRedisLog({
        url: redisUrl(this),
        prefix: harness.prefix,
        partitions: 9,
      });
      expect(other.log.partitions).to.equal(5);
      expect(other.warnings.join()).to.include('has had 5 partitions').and.to.include('9');
      await other.close();
    } finally {
      await harness.close();
    }
  });

  for (const [what, use] of [
    ['the first entry that is to be appended once', ({ log }) => log.appendOnce(1, [IMPRESSION])],
    ['the first question for its identity', ({ relayed }) => relayed.identity()],
  ] as const satisfies readonly [string, (provider: LogProvider) => Promise<unknown>][]) {
    it(`has its number of partitions again, where its server was emptied, with ${what}`, async function () {
      const { provider, direct, keys, prefix, connect, close } = await openRedisHarness(redisUrl(this));
      try {
        await direct.unlink(await direct.keys(`{${prefix}*`));
        await use(provider);
        expect(await direct.get(keys.partitions())).to.equal('4');
        await direct.set(keys.partitions(), 7);
        await use(provider);
        const other = await connect();
        await other.close();
        expect(other.log.partitions, 'what another process has settled stays').to.equal(7);
      } finally {
        await close();
      }
    });
  }

  it('refuses options that make no sense', async () => {
    for (const wrong of [{ partitions: 0 }, { partitions: 1.5 }, { prefix: '' }, { prefix: 'a{b}' }]) {
      const error = await openRedisLog({ url: 'redis://localhost', ...wrong }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(RangeError);
    }
  });

  it('warns of a server that may lose or evict messages, and of one that does not say', async function () {
    requireRedisServer(this);
    const server = await startRedisServer({
      appendfsync: 'everysec',
      maxmemory: '0',
      'maxmemory-policy': 'allkeys-lru',
    });
    try {
      const provider = await openRedisLog({ url: server.url });
      expect(provider.warnings).to.have.length(3);
      expect(provider.warnings[0]).to.include('appendfsync everysec');
      expect(provider.warnings[1]).to.include('maxmemory-policy allkeys-lru');
      expect(provider.warnings[2]).to.include('no maxmemory');
      await provider.close();
    } finally {
      await server.remove();
    }
    const silent = await startRedisServer({ 'rename-command': 'CONFIG ""' });
    try {
      const unknown = await openRedisLog({ url: silent.url });
      expect(unknown.warnings).to.have.length(1);
      expect(unknown.warnings[0]).to.include('its CONFIG cannot be read');
      await unknown.close();
    } finally {
      await silent.remove();
    }
  });
});
