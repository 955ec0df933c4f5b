import { fileURLToPath } from 'node:url';

/** What a process does. */
export type Role = 'management' | 'edge' | 'actors' | 'scheduler';

const ROLES: readonly Role[] = ['management', 'edge', 'actors', 'scheduler'];
const REGIONS = ['fra', 'nyc', 'lon'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type Region = (typeof REGIONS)[number];

/** All that can be set from outside; each field names its environment variable in {@link readSettings}. */
export interface Settings {
  readonly roles: ReadonlySet<Role>;
  readonly port: number;
  readonly edgePort: number;
  readonly opsPort: number;
  readonly region: Region;
  readonly dataDir: string;
  /** Null: the embedded log. */
  readonly redisUrl: string | null;
  readonly redisPrefix: string;
  /** Null: the embedded store. */
  readonly mongodbUrl: string | null;
  readonly mongodbWriteBatch: number;
  readonly partitions: number;
  readonly publicBaseUrl: string;
  readonly publicEdgeUrl: string;
  readonly bootstrapApiKey: string | null;
  readonly bootstrapSandboxApiKey: string | null;
  readonly secretKey: string | null;
  readonly allowPrivateNetworks: boolean;
  /** How long after the auction an impression still counts. */
  readonly renderWindowMs: number;
  readonly maxAuctionsInFlight: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Everything that is wrong with the environment, one line each. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
}

/**
 * Reads the environment. Ports may be 0 (any free one), for tests.
 * @throws InvalidSettings naming every variable that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const text = (name: string) => environment[name]?.trim() || null;

  const whole = (name: string, fallback: number, lowest: number, highest: number) => {
    const given = text(name);
    if (given === null) return fallback;
    const value = Number(given);
    if (Number.isInteger(value) && value >= lowest && value <= highest) return value;
    problems.push(`${name} must be a whole number from ${lowest} to ${highest}, not "${given}"`);
    return fallback;
  };
  const oneOf = <T extends string>(name: string, fallback: T, allowed: readonly T[]): T => {
    const given = text(name) ?? fallback;
    if (allowed.includes(given as T)) return given as T;
    problems.push(`${name} must be one of ${allowed.join(', ')}, not "${given}"`);
    return fallback;
  };
  const flag = (name: string, fallback: boolean) =>
    oneOf(name, fallback ? 'true' : 'false', ['true', 'false']) === 'true';
  const url = (name: string, fallback: string | null, protocols: readonly string[]) => {
    const given = text(name);
    if (given === null) return fallback;
    // A cluster's nodes are given as a comma list.
    const wrong = given.split(',').find((part) => !URL.canParse(part) && !/^[\w.-]+:\d+$/.test(part));
    if (wrong === undefined && protocols.some((protocol) => given.startsWith(`${protocol}://`))) {
      return given.replace(/\/+$/, '');
    }
    problems.push(`${name} must be a URL beginning with ${protocols.join(':// or ')}://`);
    return fallback;
  };
  const key = (name: string, prefix: string) => {
    const given = text(name);
    if (given === null || (given.startsWith(prefix) && given.length >= prefix.length + 8)) return given;
    problems.push(`${name} must begin with ${prefix} and have at least 8 characters after it`);
    return null;
  };

  const roles = readRoles(text('ROLES'), problems);
  const port = whole('PORT', 8080, 0, 65_535);
  const edgePort = whole('EDGE_PORT', 8081, 0, 65_535);
  const redisUrl = url('REDIS_URL', null, ['redis', 'rediss']);
  const mongodbUrl = url('MONGODB_URL', null, ['mongodb', 'mongodb+srv']);
  const settings: Settings = {
    roles,
    port,
    edgePort,
    opsPort: whole('OPS_PORT', 9090, 0, 65_535),
    region: oneOf('REGION', 'fra', REGIONS),
    dataDir: text('DATA_DIR') ?? './data',
    redisUrl,
    redisPrefix: text('REDIS_PREFIX') ?? 'exchange',
    mongodbUrl,
    mongodbWriteBatch: whole('MONGODB_WRITE_BATCH', 1000, 1, 100_000),
    partitions: whole('PARTITIONS', 64, 1, 1024),
    publicBaseUrl: url('PUBLIC_BASE_URL', null, ['http', 'https']) ?? `http://localhost:${port}`,
    publicEdgeUrl: url('PUBLIC_EDGE_URL', null, ['http', 'https']) ?? `http://localhost:${edgePort}`,
    bootstrapApiKey: key('BOOTSTRAP_API_KEY', 'pk_live_'),
    bootstrapSandboxApiKey: key('BOOTSTRAP_SANDBOX_API_KEY', 'pk_sandbox_'),
    secretKey: text('SECRET_KEY'),
    allowPrivateNetworks: flag('ALLOW_PRIVATE_NETWORKS', mongodbUrl === null),
    renderWindowMs: whole('RENDER_WINDOW_SECONDS', 3_600, 1, 86_400) * 1000,
    maxAuctionsInFlight: whole('MAX_AUCTIONS_IN_FLIGHT', 2_000, 1, 1_000_000),
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  if (settings.secretKey !== null && settings.secretKey.length < 32) {
    problems.push('SECRET_KEY must have at least 32 characters');
  }
  if (redisUrl === null && roles.size < ROLES.length) {
    problems.push('ROLES can be divided only with REDIS_URL and MONGODB_URL: the embedded log lives in one process');
  }
  if ((redisUrl === null) !== (mongodbUrl === null) && roles.size < ROLES.length) {
    problems.push('ROLES can be divided only when both REDIS_URL and MONGODB_URL are set');
  }
  if (problems.length > 0) throw new InvalidSettings(problems.join('\n'));
  return settings;
}

function readRoles(given: string | null, problems: string[]): ReadonlySet<Role> {
  const names = (given ?? 'all').split(',').map((name) => name.trim());
  if (names.includes('all')) return new Set(ROLES);
  for (const name of names) {
    if (!ROLES.includes(name as Role)) problems.push(`ROLES: "${name}" is none of ${ROLES.join(', ')}`);
  }
  return new Set(names.filter((name): name is Role => ROLES.includes(name as Role)));
}

/** The program's version, as in package.json. */
export async function readVersion(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  for (const place of ['./package.json', '../package.json', '../../package.json']) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found !== null) return JSON.parse(found).version;
  }
  throw new Error('package.json was not found beside the program');
}
