import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { startOperations } from '../../gateways/operations.ts';
import { PROCESSES_WITHIN_MS } from '../../gateways/operations-deadlines.ts';
import { readSettings, type Settings } from '../../settings.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}

const BOOTSTRAP_API_KEY = 'pk_live_of-this-test';

/** As compose reads it: with anchors, and variables of the environment or their defaults. */
function readComposition(environment: Readonly<Record<string, string>>) {
  const text = readFileSync('docker-compose.yml', 'utf8').replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest: string) => {
      if (environment[name] !== undefined) return environment[name];
      if (kind === '-') return rest;
      throw new Error(`${name}: ${rest}`);
    },
  );
  return parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, unknown>>;
    readonly secrets: Readonly<Record<string, unknown>>;
  };
}

describe('docker-compose.yml', () => {
  const { services, volumes, secrets } = readComposition({ BOOTSTRAP_API_KEY });
  const all = Object.entries(services);
  const exchange = all.filter(([, { environment }]) => environment?.ROLES !== undefined);
  const edges = exchange.filter(([, { environment }]) => environment!.ROLES === 'edge');
  const balancer = readFileSync('deploy/haproxy.cfg', 'utf8');

  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docker-test-'));
    await writeFile(join(folder, 'secret'), 'x'.repeat(44));
  });
  after(() => rm(folder, { recursive: true }));
  const settingsOf = ({ environment }: Service): Settings => {
    expect(environment!.SECRET_KEY_FILE).to.equal('/run/secrets/secret_key');
    return readSettings({ ...environment, SECRET_KEY_FILE: join(folder, 'secret') });
  };

  it('does not start without a first key', () => {
    expect(() => readComposition({})).to.throw('BOOTSTRAP_API_KEY: set BOOTSTRAP_API_KEY');
  });

  it('has each role, from one image that one service builds', () => {
    const roles = new Set(exchange.flatMap(([, service]) => [...settingsOf(service).roles]));
    expect([...roles]).to.have.members(['management', 'edge', 'actors', 'scheduler']);
    expect(new Set(exchange.map(([, { image }]) => image))).to.deep.equal(new Set(['ad-exchange']));
    expect(exchange.filter(([, { build }]) => build !== undefined)).to.have.length(1);
    expect(edges).to.have.length(2);
  });

  it('puts a load balancer in front of all edges, which URLs are signed for and whose headers edges believe', () => {
    const servers = [...balancer.matchAll(/^ {2}server (\S+) (\S+):(\d+)$/gm)].map(([, name, host, port]) => [
      name,
      host,
      port,
    ]);
    expect(servers).to.deep.equal(edges.map(([name, service]) => [name, name, String(settingsOf(service).edgePort)]));
    const [, port] = /^ {2}bind :(\d+)$/m.exec(balancer) ?? [];
    expect(services.balancer!.ports).to.deep.equal([`${port}:${port}`]);
    // By names that are looked up again: an edge that is made anew has another address.
    expect(balancer).to.match(/^resolvers docker\n {2}parse-resolv-conf$/m);
    expect(balancer).to.match(/^ {2}default-server .* resolvers docker /m);
    expect(balancer).to.match(/^ {2}http-request del-header X-Forwarded-For\n {2}option forwardfor$/m);
    const [, checkSeconds] = /^ {2}timeout check (\d+)s$/m.exec(balancer) ?? [];
    expect(Number(checkSeconds) * 1000).to.be.above(PROCESSES_WITHIN_MS);
    for (const [, service] of edges) {
      const { trustProxyHops, publicEdgeUrl, opsPort } = settingsOf(service);
      expect(trustProxyHops).to.equal(1);
      expect(new URL(publicEdgeUrl).port).to.equal(port);
      expect(balancer)
        .to.include('option httpchk GET /readyz?exclude=log&exclude=store\n')
        .and.include(`port ${opsPort} check`);
      expect(service.ports, 'an edge is reached through the balancer alone').to.equal(undefined);
    }
    const signed = exchange.map(([, { environment }]) => environment!.PUBLIC_EDGE_URL);
    expect(new Set(signed).size).to.equal(1);
    expect(settingsOf(services.management!).trustProxyHops, 'nothing is in front of management').to.equal(0);
  });

  it('gives secrets to those alone that need them, and the master secret in a file', () => {
    for (const [name, service] of all) {
      const isExchange = exchange.some(([other]) => other === name);
      expect(service.secrets ?? [], name).to.deep.equal(isExchange ? ['secret_key'] : []);
      expect(service.environment ?? {}, name).not.to.have.any.keys('SECRET_KEY', 'ADMIN_PASSWORD');
      const hasFirstKey = 'BOOTSTRAP_API_KEY' in (service.environment ?? {});
      expect(hasFirstKey, name).to.equal(name === 'management');
    }
    expect(Object.keys(secrets)).to.deep.equal(['secret_key']);
  });

  it('checks the health of servers by programs that start at once', () => {
    for (const name of ['redis', 'mongo']) {
      const [kind, program] = services[name]!.healthcheck!.test;
      expect(kind, name).to.equal('CMD');
      expect(program, name).to.be.oneOf(['redis-cli', 'bash']);
    }
    for (const [name, { healthcheck }] of exchange) expect(healthcheck, `${name} has the image's`).to.equal(undefined);
  });

  it('names only services, volumes and files that are there', () => {
    for (const [name, { depends_on = {}, volumes: mounts = [] }] of all) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        expect(services, `${name} depends on ${other}`).to.have.property(other);
        const ends = condition === 'service_completed_successfully';
        const has = services[other]!.healthcheck !== undefined || exchange.some(([one]) => one === other);
        expect(ends || (condition === 'service_healthy' && has), `${name} awaits ${other}`).to.equal(true);
      }
      for (const mount of mounts) {
        const [source] = mount.split(':');
        if (source!.startsWith('.')) expect(existsSync(source!), mount).to.equal(true);
        else expect(volumes, mount).to.have.property(source!);
      }
    }
    const spools = edges.map(([, { volumes: mounts }]) => mounts!.find((mount) => mount.endsWith(':/exchange/data')));
    expect(new Set(spools).size, 'each edge has a spool of its own').to.equal(edges.length);
  });

  it('gives a process the time to drain and to end', () => {
    for (const [name, service] of exchange) {
      const graceMs = Number.parseInt(service.stop_grace_period!, 10) * 1000;
      expect(graceMs, name).to.be.at.least(settingsOf(service).drainMs + 20_000);
    }
  });
});

describe('the Dockerfile', () => {
  const text = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));

  it('runs as a numeric user that is not root, for production, with a signal that the program takes', () => {
    const [, uid, gid] = /^USER (\d+):(\d+)$/m.exec(stage) ?? [];
    expect(Number(uid)).to.be.above(0);
    expect(Number(gid)).to.be.above(0);
    expect(stage)
      .to.match(/^ENV NODE_ENV=production$/m)
      .and.match(/^STOPSIGNAL SIGTERM$/m);
    expect(stage).not.to.match(/SECRET|PASSWORD|_KEY/);
    const [, started] = /^CMD (\[.*\])$/m.exec(stage) ?? [];
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(JSON.parse(started!).join(' '), 'as npm start does').to.equal(scripts.start);
  });

  it('has a health check that knows a ready process from one that is not, and from none, without starting node', async () => {
    const [, options, command] = /^HEALTHCHECK (.*?) CMD (\[.*\])$/m.exec(stage) ?? [];
    const [, timeoutSeconds] = /--timeout=(\d+)s/.exec(options!) ?? [];
    expect(Number(timeoutSeconds) * 1000, 'or it would never hear what is missing').to.be.above(PROCESSES_WITHIN_MS);
    const [program, ...args] = JSON.parse(command!) as string[];
    expect(program).to.equal('bash');
    let missing = ['start'];
    const operations = await startOperations(0, {
      registry: new Registry(),
      unready: async () => missing,
      host: '127.0.0.1',
    });
    // The server is of this process: another one runs the check.
    const check = async () => {
      const env = { PATH: process.env.PATH, OPS_PORT: String(operations.port) };
      const child = spawn(program!, args, { env, stdio: 'ignore' });
      return new Promise<number | null>((resolve) => child.once('exit', resolve));
    };
    try {
      expect(await check(), 'while it starts').not.to.equal(0);
      missing = [];
      expect(await check(), 'when it is ready').to.equal(0);
    } finally {
      await operations.close();
    }
    expect(spawnSync(program!, args, { env: { OPS_PORT: String(operations.port) } }).status, 'of none').not.to.equal(0);
  });
});
