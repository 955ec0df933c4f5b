// Fuzzes the management API of a built exchange against its own description with schemathesis: no 500, no status that
// the description does not declare, no response that violates its schema, and all other checks of the tool. It takes 3
// minutes at most.
// Usage: node scripts/fuzz.mjs [folder of the build=dist]; FUZZ_SEED=<number> makes other requests.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const build = process.argv[2] ?? 'dist';
const folder = join('.build', 'fuzz');
const environment = resolve('.build', 'schemathesis');
const requirements = join('scripts', 'fuzz', 'requirements.txt');
const seed = process.env.FUZZ_SEED ?? '1';

const hooks = { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: resolve('scripts', 'fuzz'), PYTHONDONTWRITEBYTECODE: '1' };

/** Operations that would lock the fuzzer out or slow it down while it needs its credentials; they come last. */
const last = [
  'POST /api/auth/logout',
  'PUT /api/users/{id}',
  'DELETE /api/users/{id}',
  'PUT /api/accounts/{id}',
  'PUT /api/account',
];
const runs = [
  { seconds: 140, filters: last.flatMap((name) => ['--exclude-name', name]) },
  { seconds: 15, filters: last.flatMap((name) => ['--include-name', name]) },
];

function installSchemathesis() {
  const installed = join(environment, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return;
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', environment],
    [join(environment, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
  ]) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
  }
  writeFileSync(installed, wanted);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startExchange() {
  const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const sandboxKey = `pk_sandbox_${randomBytes(12).toString('hex')}`;
  const admin = { email: 'admin@localhost', password: randomBytes(12).toString('hex') };
  const dataDir = mkdtempSync(join(tmpdir(), 'exchange-fuzz-'));
  const log = openSync(join(folder, 'exchange.log'), 'w');
  const { REDIS_URL: _, MONGODB_URL: __, ...inherited } = process.env;
  const exchange = spawn(process.execPath, ['--enable-source-maps', join(build, 'bundle', 'main.js')], {
    stdio: ['ignore', log, log],
    env: {
      ...inherited,
      PORT: String(port),
      EDGE_PORT: String(edgePort),
      OPS_PORT: String(opsPort),
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      PARTITIONS: '8',
      LOG_LEVEL: 'warn',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      BOOTSTRAP_SANDBOX_API_KEY: sandboxKey,
      // Limits stay on, but high: the fuzzer sends more requests in a second than a caller in a minute.
      ANONYMOUS_REQUESTS_PER_MINUTE: '1000000',
    },
  });
  const ended = new Promise((resolve) => exchange.once('exit', resolve));
  const stop = async () => {
    exchange.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 300 && exchange.exitCode === null; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => null);
    if (ready?.ok) return { baseUrl: `http://127.0.0.1:${port}`, sandboxKey, admin, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`the exchange did not start: see ${folder}/exchange.log`);
}

/** Raises the rate limit of the fuzzer's account. Resolves with its credentials and the ids of resources to work on. */
async function prepare({ baseUrl, sandboxKey, admin }) {
  const login = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const call = async (method, path, body) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { id } = await call('GET', '/api/account');
  await call('PUT', `/api/accounts/${id}`, { tier: 'enterprise', requests_per_minute: 1_000_000 });
  const partner = await call('POST', '/api/partners', { name: 'Fuzzed' });
  const create = async (path, fields) => {
    const made = await call('POST', path, { sandbox: true, partner_id: partner.id, ...fields });
    return made.id;
  };
  const publisher = { domain: 'fuzzed.example', type: 'web' };
  const bidder = { mode: 'rtb', endpoint_url: 'http://127.0.0.1:9/bid' };
  const ids = {
    PUBLISHER_ID: await create('/api/supply/sources', { name: 'Fuzzed', ...publisher }),
    DOOMED_PUBLISHER_ID: await create('/api/supply/sources', { name: 'Doomed', ...publisher }),
    DSP_ID: await create('/api/demand/sources', { name: 'Fuzzed', ...bidder }),
    DOOMED_DSP_ID: await create('/api/demand/sources', { name: 'Doomed', ...bidder }),
    DELEGATE_ID: await create('/api/demand/sources', { name: 'Delegate', mode: 'delegate' }),
  };
  const campaign = await call('POST', '/api/campaigns', {
    dsp_id: ids.DELEGATE_ID,
    campaign_id: 'fuzzed',
    campaign_name: 'Fuzzed',
    bidding: { base_cpm: 2 },
    creative: { creative_id: 'one', html: '<b>An ad</b>' },
  });
  return {
    SANDBOX_KEY: sandboxKey,
    SESSION: cookie.slice(cookie.indexOf('=') + 1),
    PUBLISHER_KEY: (await call('POST', `/api/supply/sources/${ids.PUBLISHER_ID}/key`)).key,
    DSP_KEY: (await call('POST', `/api/demand/sources/${ids.DSP_ID}/key`)).key,
    PARTNER_ID: partner.id,
    CAMPAIGN_ID: campaign.id,
    ...ids,
  };
}

function fuzz(baseUrl, secrets, { seconds, filters }) {
  const { status, error } = spawnSync(
    join(environment, 'bin', 'schemathesis'),
    [
      ...['--config-file', resolve('scripts', 'fuzz', 'schemathesis.toml'), 'run', `${baseUrl}/api/openapi.json`],
      ...['--checks', 'all', '--max-time', String(seconds), '--seed', seed, '--no-color', '--warnings', 'off'],
      ...['--generation-database', 'none', ...filters],
    ],
    {
      stdio: 'inherit',
      // schemathesis keeps its state in the working directory.
      cwd: folder,
      env: { ...process.env, ...hooks, ...secrets },
      timeout: (seconds + 20) * 1000,
      killSignal: 'SIGKILL',
    },
  );
  if (error) throw error;
  return status === 0;
}

mkdirSync(folder, { recursive: true });
installSchemathesis();
const exchange = await startExchange();
let passed = false;
try {
  const secrets = await prepare(exchange);
  passed = runs.map((run) => fuzz(exchange.baseUrl, secrets, run)).every(Boolean);
} finally {
  await exchange.stop();
}
process.exit(passed ? 0 : 1);
