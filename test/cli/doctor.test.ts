import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { node } from '../../cli/doctor/checks/node.ts';
import { Installation } from '../composition/installation.ts';
import { exchangeCommand } from '../support/exchange-command.ts';
import { freePort } from '../support/free-port.ts';
import { mongodbUrl } from '../support/real-servers.ts';
import { requireRedisServer, startRedisServer } from '../support/redis-server.ts';

const SECRET_KEY = 'Zm9yIHRlc3RzIGFsb25lLCBhbmQgbG9uZyBlbm91Z2g';

interface Report {
  readonly code: number;
  readonly status: string;
  readonly findings: readonly {
    readonly check: string;
    readonly status: string;
    readonly found: string;
    readonly means: string | null;
    readonly todo: string | null;
  }[];
}

describe('exchange doctor', () => {
  let folder: string;
  let environment: Record<string, string>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'doctor-'));
    environment = {
      DATA_DIR: join(folder, 'data'),
      PORT: String(await freePort()),
      EDGE_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
    };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function doctor(changes: Readonly<Record<string, string>> = {}, ...args: string[]): Promise<Report> {
    const { code, stdout, stderr } = await exchangeCommand({ ...environment, ...changes }, 'doctor', '--json', ...args);
    expect(stderr).to.equal('');
    return { code, ...JSON.parse(stdout) };
  }
  const of = ({ findings }: Report, check: string) => findings.filter((finding) => finding.check === check);
  const bad = ({ findings }: Report) => findings.filter(({ status }) => status !== 'ok');

  it('finds nothing wrong where nothing is set, and makes nothing', async () => {
    const report = await doctor();
    expect(bad(report)).to.deep.equal([]);
    expect(report).to.include({ code: 0, status: 'ok' });
    const people = await exchangeCommand(environment, 'doctor');
    expect(people).to.include({ code: 0, stderr: '' });
    expect(people.stdout)
      .to.match(/^ok {4}node {8}Node /)
      .and.match(/\nAll is well: \d+ checks\.\n$/);
    const [data] = of(report, 'folders');
    expect(data!.found).to.match(/ GiB free; the first start makes it$/);
  });

  it('names every setting that is wrong, what that means and what to do', async () => {
    const report = await doctor({ PORT: 'eighty', ROLE: 'edge' });
    expect(report).to.include({ code: 1, status: 'fail' });
    const found = of(report, 'settings');
    expect(found.map(({ found }) => found)).to.deep.equal([
      'PORT must be a whole number from 0 to 65535, not "eighty"',
      'ROLE is not a setting: ROLES is meant, or unset it',
    ]);
    for (const { means, todo } of found) expect([means, todo]).to.not.include(null);
    const people = await exchangeCommand({ ...environment, PORT: 'eighty' }, 'doctor');
    expect(people.stdout).to.match(/means: no process starts\n +to do: /);
  });

  it('warns of what is allowed and unsafe, which --strict takes for a failure', async () => {
    const changes = { PUBLIC_BASE_URL: 'http://localhost:1', PUBLIC_EDGE_URL: 'http://localhost:1' };
    const report = await doctor(changes);
    expect(report).to.include({ code: 0, status: 'warn' });
    expect(of(report, 'settings').find(({ status }) => status === 'warn')?.found).to.match(/^Browsers cannot log in/);
    expect((await doctor(changes, '--strict')).code).to.equal(1);
  });

  it('takes a port that an exchange serves for its own, and another one for taken', async () => {
    const installation = await Installation.make();
    try {
      await installation.start();
      const ports = of({ ...(await doctor(installation.environment)) }, 'ports');
      expect(ports.map(({ status }) => status)).to.deep.equal(['ok', 'ok', 'ok']);
      for (const { found } of ports) expect(found).to.match(/is served by an exchange$/);
    } finally {
      await installation.remove();
    }
    const other = await new Promise<Server>((done) => {
      const server = createServer((socket) => socket.end('hello'));
      server.listen(0, () => done(server));
    });
    try {
      const { port } = other.address() as AddressInfo;
      const [taken] = bad(await doctor({ PORT: String(port) }));
      expect(taken).to.include({ check: 'ports', found: `port ${port} (PORT) is in use by another program` });
    } finally {
      other.close();
    }
  });

  it('tells host names that do not resolve, lead elsewhere or answer to nobody, and clocks that differ', async () => {
    const hour = new Date(Date.now() + 3_600_000).toUTCString();
    const elsewhere = createHttpServer((_, response) => {
      response.setHeader('Date', hour);
      response.end('another site');
    });
    await new Promise<void>((done) => elsewhere.listen(0, done));
    try {
      const { port } = elsewhere.address() as AddressInfo;
      const report = await doctor({
        PUBLIC_BASE_URL: `http://localhost:${port}`,
        PUBLIC_EDGE_URL: `http://ads.exchange.invalid`,
        PUBLIC_CREATIVES_URL: `http://127.0.0.1:${await freePort()}`,
      });
      const [base, edge, creatives] = of(report, 'host names');
      expect(base).to.include({ status: 'fail' });
      expect(base!.found).to.match(/where no exchange answers: 200$/);
      expect(edge!.found).to.equal('ads.exchange.invalid of PUBLIC_EDGE_URL does not resolve');
      expect(creatives).to.include({ status: 'warn' });
      expect(creatives!.found).to.match(/where nothing answers: ECONNREFUSED$/);
      const [clock] = of(report, 'clocks');
      expect(clock).to.include({ status: 'fail' });
      expect(clock!.found).to.match(/^the clock of this machine is 3\d{3}\.\d s behind that of localhost/);
    } finally {
      elsewhere.close();
    }
  });

  it('tells a secret that is missing, short of kinds of characters or read by others', async () => {
    const servers = { MONGODB_URL: 'mongodb://127.0.0.1:1/x' };
    expect(of(await doctor(servers), 'secret key')[0]).to.include({ status: 'fail', means: 'no process starts' });
    const weak = of(await doctor({ SECRET_KEY: 'a'.repeat(40) }), 'secret key')[0];
    expect(weak).to.include({ status: 'warn', found: 'SECRET_KEY has only 1 different characters' });
    await mkdir(environment.DATA_DIR!);
    const path = join(environment.DATA_DIR!, 'secret-key');
    expect(of(await doctor(), 'secret key')[0]).to.include({ status: 'ok', found: `the first start makes ${path}` });
    await writeFile(join(environment.DATA_DIR!, 'exchange.mdb'), '');
    const lost = of(await doctor(), 'secret key')[0];
    expect(lost).to.include({ status: 'warn', found: `${path} is not there, beside an exchange's data` });
    await rm(join(environment.DATA_DIR!, 'exchange.mdb'));
    await writeFile(path, SECRET_KEY);
    await chmod(path, 0o644);
    expect(of(await doctor(), 'secret key')[0]).to.include({ status: 'warn', todo: `chmod 600 ${path}` });
    await chmod(path, 0o600);
    expect(of(await doctor(), 'secret key')[0]).to.include({ status: 'ok' });
  });

  it('tells a folder that cannot be made', async () => {
    await writeFile(join(folder, 'file'), '');
    const report = await doctor({ DATA_DIR: join(folder, 'file', 'data') });
    expect(report.code).to.equal(1);
    expect(of(report, 'folders')[0]).to.include({ status: 'fail', means: 'no process starts' });
  });

  it('knows which releases of Node are too old, and which get no fixes', () => {
    expect(node('20.18.3')[0]).to.include({ status: 'fail' });
    expect(node('20.19.0')[0]).to.include({ status: 'ok' });
    expect(node('23.11.0')[0]).to.include({ status: 'warn' });
    expect(node('24.4.1')[0]).to.include({ status: 'ok' });
  });

  describe('of Redis', () => {
    const servers: { remove(): Promise<void> }[] = [];
    before(function () {
      requireRedisServer(this);
    });
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.remove();
    });
    async function start(settings: Readonly<Record<string, string>> = {}) {
      const server = await startRedisServer(settings);
      servers.push(server);
      return server;
    }

    it('is content with one that keeps every write, and compares its clock', async () => {
      const { url, port } = await start();
      const report = await doctor({ REDIS_URL: url });
      expect(bad(report)).to.deep.equal([]);
      expect(of(report, 'redis')[0]!.found).to.match(
        new RegExp(`^Redis at 127\\.0\\.0\\.1:${port}, version \\d[\\d.]+, keeps every write before it answers$`),
      );
      expect(of(report, 'clocks')[0]!.found).to.include(`Redis at 127.0.0.1:${port}`);
    });

    it('fails one that may lose or evict what was acknowledged, and warns of one without a bound', async () => {
      const { url } = await start({ appendfsync: 'everysec', 'maxmemory-policy': 'allkeys-lru', maxmemory: '0' });
      const report = await doctor({ REDIS_URL: url });
      expect(report.code).to.equal(1);
      const found = of(report, 'redis').map(({ status, found, todo }) => [status, found.replace(/^.*?: /, ''), todo]);
      expect(found).to.deep.equal([
        ['fail', 'it has appendfsync everysec', 'use always'],
        ['fail', 'it has maxmemory-policy allkeys-lru', 'use noeviction'],
        ['warn', 'it has no maxmemory', 'set at most 75 % of it'],
      ]);
      const { url: volatile } = await start({ appendonly: 'no' });
      expect(bad(await doctor({ REDIS_URL: volatile }))[0]).to.include({
        means: 'a restart loses acknowledged messages',
        todo: 'use yes',
      });
    });

    it('fails one that has used up its maxmemory, and one that takes nothing of producers any more', async () => {
      const { url } = await start();
      const client = new Redis(url);
      try {
        // Made in the server, because buffers of what is sent would be counted as well.
        await client.eval("redis.call('SET', KEYS[1], string.rep('x', 20000000))", 1, 'filled');
        const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))![1]);
        const withShare = async (share: number) => {
          await client.config('SET', 'maxmemory', Math.round(used / share));
          return doctor({ REDIS_URL: url });
        };
        const full = await withShare(1.19);
        expect(full.code).to.equal(1);
        expect(of(full, 'redis')).to.have.length(1);
        expect(of(full, 'redis')[0]).to.include({ status: 'fail' });
        expect(of(full, 'redis')[0]!.found).to.match(/: it uses 1\d\d % of its maxmemory$/);
        expect(of(full, 'redis')[0]!.means).to.match(/^it refuses all writes/);
        const [short] = of(await withShare(0.95), 'redis');
        expect([short!.status, short!.means]).to.deep.equal(['fail', 'it takes no messages of producers: edges spool']);
        const [near] = of(await withShare(0.8), 'redis');
        expect([near!.status, near!.means]).to.deep.equal(['warn', 'from 90 % on it takes no messages of producers']);
        expect(bad(await withShare(0.5))).to.deep.equal([]);
        await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
        const evicting = of(await withShare(1.19), 'redis').map(({ status, found }) => [
          status,
          found.includes('evict'),
        ]);
        expect(evicting, 'what evicts is told by its policy').to.deep.equal([['fail', false]]);
      } finally {
        client.disconnect();
      }
    });

    it('looks at those of the region, its edges and counts, where they are other ones', async function () {
      const [home, region, edges, facts] = [await start(), await start(), await start(), await start()];
      const settings = { REDIS_URL: home.url, REGION: 'nyc', REGION_REDIS_URL: region.url };
      const all = { ...settings, EDGE_REDIS_URL: edges.url, FACTS_REDIS_URL: facts.url };
      const report = await doctor(all);
      expect(bad(report)).to.deep.equal([]);
      for (const [check, { port }] of [
        ['redis', home],
        ['redis of region', region],
        ['redis of edges', edges],
        ['redis of counts', facts],
      ] as const) {
        expect(of(report, check)[0]!.found, check).to.include(`127.0.0.1:${port}`);
      }
      for (const { port } of [home, region, facts])
        expect(of(report, 'clocks')[0]!.found).to.include(`127.0.0.1:${port}`);
      const [shared] = of(await doctor({ ...all, EDGE_REDIS_URL: region.url }), 'redis of edges');
      expect(shared).to.include({ status: 'ok', found: 'the same as REGION_REDIS_URL' });
      const [unused] = of(
        await doctor({ ...settings, MONGODB_URL: mongodbUrl(this), SECRET_KEY, ROLES: 'actors' }),
        'redis of region',
      );
      expect(unused!.found).to.match(/^not used/);

      const client = new Redis(region.url);
      await client.config('SET', 'appendfsync', 'everysec');
      client.disconnect();
      await Promise.all([edges.kill(), facts.kill()]);
      const worse = await doctor(all);
      expect(bad(worse).map(({ check, status }) => [check, status])).to.deep.equal([
        ['redis of region', 'fail'],
        ['redis of edges', 'fail'],
        ['redis of counts', 'fail'],
      ]);
      expect(of(worse, 'redis of region')[0]!.found).to.include('it has appendfsync everysec');
      expect(of(worse, 'redis of edges')[0]!.found).to.match(/^Redis \(EDGE_REDIS_URL\) does not answer as it should/);
    });

    it('counts the replicas that acknowledge against those that are to be waited for', async () => {
      const { url, port } = await start();
      const alone = await doctor({ REDIS_URL: url, REDIS_WAIT_REPLICAS: '1' });
      const [missing] = of(alone, 'redis');
      expect(missing).to.include({ status: 'fail', means: 'below REDIS_MIN_REPLICAS (1) nothing is acknowledged' });
      const replica = await start({ replicaof: `127.0.0.1 ${port}` });
      const settings = { REDIS_URL: url, REDIS_WAIT_REPLICAS: '1' };
      let report = await doctor(settings);
      while (of(report, 'redis')[0]!.status === 'fail') report = await doctor(settings);
      expect(of(report, 'redis')[0]!.found).to.match(/: 1 of 1 replicas acknowledge, and REDIS_WAIT_REPLICAS is 1$/);
      const [unwaited] = bad(await doctor({ REDIS_URL: url }));
      expect(unwaited).to.include({ status: 'warn', means: 'promoting one may lose acknowledged messages' });
      const [isReplica] = of(await doctor({ REDIS_URL: replica.url }), 'redis');
      expect(isReplica).to.include({ status: 'fail', means: 'writes are refused there' });
    });

    it('says what to do where none answers', async () => {
      const [away] = bad(await doctor({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }));
      expect(away).to.include({ check: 'redis', status: 'fail' });
      expect(away!.found).to.match(/^Redis \(REDIS_URL\) does not answer as it should: .*ECONNREFUSED/);
    });
  });

  describe('of MongoDB', () => {
    it('says that a server alone is the only copy, and that it acknowledges', async function () {
      const report = await doctor({ MONGODB_URL: mongodbUrl(this), SECRET_KEY });
      expect(of(report, 'mongodb').map(({ status, found }) => [status, found])).to.deep.equal([
        ['warn', 'MongoDB is no replica set'],
      ]);
    });

    it('says what to do where none answers', async () => {
      const [away] = of(
        await doctor({ MONGODB_URL: `mongodb://127.0.0.1:${await freePort()}/x`, SECRET_KEY }),
        'mongodb',
      );
      expect(away).to.include({ status: 'fail' });
      expect(away!.found).to.match(/^MongoDB \(MONGODB_URL\) does not answer as it should: .*ECONNREFUSED/);
    });
  });
});
