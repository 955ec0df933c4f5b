import { isIP } from 'node:net';
import { join } from 'node:path';
import { declaredSetting, LOG_LEVELS, SETTING_NAMES, SNAPSHOT_READS } from './declared-settings.ts';
import { type Network, parseNetwork } from './edge/addresses/network-set.ts';
import { REGIONS, type Region } from './exchange/region.ts';
import { namesThisMachine } from './gateways/http/local-name.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import { readSecretFiles } from './secret-files.ts';

/** What a process does. */
export type Role = 'management' | 'edge' | 'actors' | 'scheduler';

const ROLES: readonly Role[] = ['management', 'edge', 'actors', 'scheduler'];

/** All that can be set from outside; each field names its environment variable in {@link readSettings}. */
export interface Settings {
  /** The declared settings that the environment sets, by their names alone. */
  readonly given: ReadonlySet<string>;
  readonly roles: ReadonlySet<Role>;
  readonly port: number;
  readonly edgePort: number;
  readonly opsPort: number;
  /** The address that the operations port listens on. */
  readonly opsHost: string;
  readonly region: Region;
  readonly dataDir: string;
  /** Null: the embedded log. */
  readonly redisUrl: string | null;
  /** Earlier values of REDIS_URL, by which releases up to 0.4 named an edge's spool: what lies there is replayed. */
  readonly previousRedisUrls: readonly string[];
  /** How many replicas each Redis server has that may be promoted; 0: none is waited for. */
  readonly redisWaitReplicas: number;
  /** How many of them are still waited for when others stay away. */
  readonly redisMinReplicas: number;
  readonly redisPrefix: string;
  /** Where the edges of this region keep their frequency counters; REDIS_URL unless set. Null: embedded. */
  readonly edgeRedisUrl: string | null;
  /** Null: the embedded store. */
  readonly mongodbUrl: string | null;
  readonly mongodbWriteBatch: number;
  readonly mongodbSnapshotReads: (typeof SNAPSHOT_READS)[number];
  readonly partitions: number;
  readonly publicBaseUrl: string;
  readonly publicEdgeUrl: string;
  /** What URLs of hosted creatives begin with; PUBLIC_EDGE_URL unless set. */
  readonly publicCreativesUrl: string;
  /** Origins beside our own that may call the management API from a browser. */
  readonly corsOrigins: readonly string[];
  readonly trustProxyHops: number;
  /** A session of a user ends so many days after logging in, however much it is used. */
  readonly sessionLifetimeDays: number;
  readonly anonymousRequestsPerMinute: number;
  readonly dashboard: boolean;
  readonly accessLog: boolean;
  readonly adminEmail: string;
  /** Null: one is made. */
  readonly adminPassword: string | null;
  readonly bootstrapApiKey: string | null;
  readonly bootstrapSandboxApiKey: string | null;
  /** Null: with the embedded store the one that is kept in a file beside it. */
  readonly secretKey: string | null;
  /** Master secrets of before: what they signed or sealed still holds, and nothing new is signed or sealed with them. */
  readonly previousSecretKeys: readonly string[];
  readonly allowPrivateNetworks: boolean;
  /** Whether creatives must be served over https. */
  readonly httpsCreativesOnly: boolean;
  /** The folder where the files of creatives live, of all processes of the exchange, unless there is a bucket for them. */
  readonly creativesDir: string;
  /** The bucket where the files of creatives live; null: the folder. */
  readonly creativesS3: { readonly bucket: string; readonly endpoint: string | null; readonly region: string } | null;
  /** How old what was fetched of a creative becomes before it is fetched again. */
  readonly creativeRefreshMs: number;
  /** How much the files of all creatives may come to. */
  readonly creativesQuotaBytes: number;
  /** Free space that files of creatives leave on the disk. */
  readonly creativesDiskReserveBytes: number;
  /** How many days the live books of a day are kept before they are archived. */
  readonly ledgerRetentionDays: number;
  /** The folder where archived books are written, of all processes that run jobs. */
  readonly archiveDir: string;
  /** How long after the auction an impression still counts. */
  readonly renderWindowMs: number;
  readonly maxAuctionsInFlight: number;
  /** Percent of one budget that a publisher may hold unrendered that has rendered nothing yet; 100: any. */
  readonly newPublisherSharePercent: number;
  /** Connections of one public address (IPv6: a /64) that an edge and the management API accept, each; 0: any number. */
  readonly maxSocketsPerAddress: number;
  /** Metrics WebSockets that a process holds, and of one API key or session. */
  readonly maxMetricsSockets: number;
  readonly maxMetricsSocketsPerCredential: number;
  /** Of data centres and proxies: ad requests for devices in them are refused. Those of the file come on top. */
  readonly blockedNetworks: readonly Network[];
  readonly blockedNetworksFile: string | null;
  /** Ad requests of one device address, and of one device, that an edge takes; 0: any number. */
  readonly maxRequestsPerSecondPerAddress: number;
  readonly maxRequestsPerSecondPerDevice: number;
  /** Ad requests without a key and without a device that an edge takes of one caller's address; 0: any number. */
  readonly maxKeylessRequestsPerSecondPerAddress: number;
  /** Calls of pixels by viewers' devices of one address that an edge takes for valid; 0: any number. */
  readonly maxImpressionsPerSecondPerAddress: number;
  /** A MaxMind database (.mmdb) of countries or cities; null: where devices are is not compared. */
  readonly geoipDatabase: string | null;
  /** How long the id of a publisher's bid request is not taken again; 0: at once. */
  readonly replayWindowMs: number;
  /** Live auctions that an edge writes down in a second, at most, for whoever asks about them; 0: none. */
  readonly auctionSamplesPerSecond: number;
  /** How many of them are kept, of all edges and the sandbox; for three days at most. */
  readonly auctionRecordsKept: number;
  /** IAB content categories (Content Taxonomy 1.0) that this exchange does not sell to, beside those it never does. */
  readonly blockedCategories: readonly string[];
  /** How long a process that is told to stop goes on serving, so that load balancers see that it is not ready any more. */
  readonly drainMs: number;
  /** A start waits so long, in ms, for Redis and MongoDB where they are not up yet. */
  readonly startWaitMs: number;
  /** The exchange's name in supply chains and in its sellers' ads.txt: the domain that sellers.json is on. */
  readonly exchangeDomain: string;
  /** EXCHANGE_DOMAIN where it is set: pages of its hosts may call the management API with a key. */
  readonly ownDomain: string | null;
  /** The exchange's id in the IAB's Global Vendor List; null: nobody can have consented to it. */
  readonly tcfVendorId: number | null;
  /** Whether bidders get ids, places and addresses cut short under GDPR without consent for the exchange. */
  readonly truncateWithoutConsent: boolean;
  /** The contact that sellers.json names; the first operator's address until it is set. */
  readonly sellersContactEmail: string;
  /** What sellers.json says of the exchange itself; null: nothing. */
  readonly sellersContactAddress: string | null;
  readonly sellersIdentifiers: readonly { readonly name: string; readonly value: string }[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Everything that is wrong with the environment, one line each. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
}

const MIB = 1024 * 1024;

/** The lower bound of a master secret, in characters. */
export const MIN_SECRET_KEY_LENGTH = 32;

/**
 * Reads the environment, and the files that `<name>_FILE` names. Ports may be 0 (any free one), for tests.
 * @throws InvalidSettings naming every variable that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const plain = (name: string) => environment[name]?.trim() || null;
  const files = readSecretFiles(plain, problems);
  // What is read is declared, and so documented.
  const text = (name: string) => files.get(name) ?? plain(declaredSetting(name).name);
  const constantOf = (name: string) => {
    const { fallback } = declaredSetting(name);
    if ('value' in fallback) return fallback.value;
    throw new Error(`the setting ${name} has no constant default`);
  };
  const textOr = (name: string) => text(name) ?? String(constantOf(name));
  const whole = (name: string) => {
    const { range, because } = declaredSetting(name);
    if (range === undefined) throw new Error(`the setting ${name} is declared to be no whole number`);
    const given = text(name);
    const value = Number(given ?? constantOf(name));
    if (Number.isInteger(value) && value >= range[0] && value <= range[1]) return value;
    const why = because === undefined || !(value > range[1]) ? '' : `: ${because}`;
    problems.push(`${name} must be a whole number from ${range[0]} to ${range[1]}, not "${given}"${why}`);
    return range[0];
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback = constantOf(name)): T => {
    const given = text(name) ?? String(fallback);
    if (allowed.includes(given as T)) return given as T;
    problems.push(`${name} must be one of ${allowed.join(', ')}, not "${given}"`);
    return allowed[0]!;
  };
  const flag = (name: string, fallback?: boolean) => oneOf(name, ['true', 'false'], fallback) === 'true';
  const url = (name: string, protocols: readonly string[], parts: (given: string) => readonly string[]) => {
    const given = text(name);
    if (given === null) return null;
    const begins = protocols.some((protocol) => given.startsWith(`${protocol}://`));
    if (begins && parts(given).every((part) => URL.canParse(part))) return given.replace(/\/+$/, '');
    // The value is not shown: it may hold a password.
    problems.push(`${name} must be a URL beginning with ${protocols.join(':// or ')}://`);
    return null;
  };
  const origins = (name: string) => {
    const given = (text(name) ?? '').split(',').map((part) => part.trim());
    const listed = given.filter((part) => part !== '').map((part) => part.replace(/\/$/, ''));
    const wrong = listed.filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
    for (const origin of wrong)
      problems.push(`${name} must list origins such as https://app.example.com; "${origin}" is none`);
    return listed;
  };
  const key = (name: string, prefix: string) => {
    const given = text(name);
    if (given === null) return null;
    // What is longer, or holds a space, would be taken from nobody who shows it.
    if (given.startsWith(prefix) && /^[\x21-\x7e]{8,200}$/.test(given.slice(prefix.length))) return given;
    problems.push(`${name} must begin with ${prefix} and have 8 to 200 visible ASCII characters after it, no spaces`);
    return null;
  };

  const roles = readRoles(textOr('ROLES'), problems);
  const port = whole('PORT');
  const edgePort = whole('EDGE_PORT');
  const redisUrl = url('REDIS_URL', REDIS_SCHEMES, redisNodes);
  const edgeRedisUrl = url('EDGE_REDIS_URL', REDIS_SCHEMES, redisNodes);
  if (edgeRedisUrl !== null && redisUrl === null) {
    problems.push('EDGE_REDIS_URL is for a region of an exchange with a REDIS_URL, which is not set');
  }
  const redisWaitReplicas = whole('REDIS_WAIT_REPLICAS');
  if (redisWaitReplicas > 0 && redisUrl === null) {
    problems.push('REDIS_WAIT_REPLICAS is for an exchange with a REDIS_URL, which is not set');
  }
  const mongodbUrl = url('MONGODB_URL', ['mongodb', 'mongodb+srv'], replicaSetMembers);
  const dataDir = textOr('DATA_DIR');
  const s3 = text('CREATIVES_S3_BUCKET');
  const s3Endpoint = url('CREATIVES_S3_ENDPOINT', ['http', 'https'], (given) => [given]);
  if (s3 !== null && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(s3)) {
    problems.push(`CREATIVES_S3_BUCKET must be the name of a bucket, not "${s3}"`);
  }
  if (s3 === null && s3Endpoint !== null) {
    problems.push('CREATIVES_S3_ENDPOINT is of use only beside CREATIVES_S3_BUCKET');
  }
  if (s3 !== null && text('CREATIVES_DIR') !== null) {
    problems.push('CREATIVES_DIR and CREATIVES_S3_BUCKET exclude each other: files of creatives live in one of them');
  }
  const publicUrl = (name: string, ownPort: number) =>
    url(name, ['http', 'https'], (given) => [given]) ?? `http://localhost:${ownPort}`;
  const publicBaseUrl = publicUrl('PUBLIC_BASE_URL', port);
  const publicEdgeUrl = publicUrl('PUBLIC_EDGE_URL', edgePort);
  const publicCreativesUrl = url('PUBLIC_CREATIVES_URL', ['http', 'https'], (given) => [given]) ?? publicEdgeUrl;
  const isLocal = [publicBaseUrl, publicEdgeUrl, publicCreativesUrl].every(namesThisMachine);
  const domain = (name: string, ofUrl: string) => {
    const given = text(name)?.toLowerCase();
    if (given === undefined) return new URL(ofUrl).hostname;
    if (given.length <= 253 && /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(given)) return given;
    problems.push(`${name} must be a domain such as exchange.example, not "${given}"`);
    return given;
  };
  const adminEmail = textOr('ADMIN_EMAIL');
  const settings: Settings = {
    given: new Set([...SETTING_NAMES].filter((name) => plain(name) !== null)),
    roles,
    port,
    edgePort,
    opsPort: whole('OPS_PORT'),
    opsHost: readAddress('OPS_HOST', textOr('OPS_HOST'), problems),
    region: oneOf('REGION', REGIONS),
    dataDir,
    redisUrl,
    previousRedisUrls: (text('REDIS_URL_PREVIOUS') ?? '').split(/\s+/).filter((one) => one !== ''),
    redisWaitReplicas,
    redisMinReplicas: text('REDIS_MIN_REPLICAS') === null ? redisWaitReplicas : whole('REDIS_MIN_REPLICAS'),
    redisPrefix: textOr('REDIS_PREFIX'),
    edgeRedisUrl: edgeRedisUrl ?? redisUrl,
    mongodbUrl,
    mongodbWriteBatch: whole('MONGODB_WRITE_BATCH'),
    mongodbSnapshotReads: oneOf('MONGODB_SNAPSHOT_READS', SNAPSHOT_READS),
    partitions: whole('PARTITIONS'),
    publicBaseUrl,
    publicEdgeUrl,
    publicCreativesUrl,
    corsOrigins: origins('CORS_ORIGINS'),
    trustProxyHops: whole('TRUST_PROXY_HOPS'),
    sessionLifetimeDays: whole('SESSION_LIFETIME_DAYS'),
    anonymousRequestsPerMinute: whole('ANONYMOUS_REQUESTS_PER_MINUTE'),
    dashboard: oneOf('DASHBOARD', ['on', 'off']) === 'on',
    accessLog: flag('ACCESS_LOG'),
    adminEmail,
    adminPassword: text('ADMIN_PASSWORD'),
    bootstrapApiKey: key('BOOTSTRAP_API_KEY', 'pk_live_'),
    bootstrapSandboxApiKey: key('BOOTSTRAP_SANDBOX_API_KEY', 'pk_sandbox_'),
    secretKey: text('SECRET_KEY'),
    previousSecretKeys: listed((text('SECRET_KEY_PREVIOUS') ?? '').replaceAll('\n', ',')),
    allowPrivateNetworks: flag('ALLOW_PRIVATE_NETWORKS', mongodbUrl === null && isLocal),
    httpsCreativesOnly: flag('HTTPS_CREATIVES_ONLY', mongodbUrl !== null),
    creativesDir: text('CREATIVES_DIR') ?? join(dataDir, 'creatives'),
    creativesS3: s3 ? { bucket: s3, endpoint: s3Endpoint, region: textOr('CREATIVES_S3_REGION') } : null,
    creativeRefreshMs: whole('CREATIVE_REFRESH_HOURS') * 3_600_000,
    creativesQuotaBytes: whole('CREATIVES_QUOTA_MIB') * MIB,
    creativesDiskReserveBytes: whole('CREATIVES_DISK_RESERVE_MIB') * MIB,
    // A month is frozen, and may be looked at again, long before its first day is old enough.
    ledgerRetentionDays: whole('LEDGER_RETENTION_DAYS'),
    archiveDir: text('ARCHIVE_DIR') ?? join(dataDir, 'archive'),
    renderWindowMs: whole('RENDER_WINDOW_SECONDS') * 1000,
    maxAuctionsInFlight: whole('MAX_AUCTIONS_IN_FLIGHT'),
    newPublisherSharePercent: whole('NEW_PUBLISHER_SHARE_PERCENT'),
    maxSocketsPerAddress: whole('MAX_SOCKETS_PER_ADDRESS'),
    maxMetricsSockets: whole('MAX_METRICS_SOCKETS'),
    maxMetricsSocketsPerCredential: whole('METRICS_SOCKETS_PER_KEY'),
    blockedNetworks: readNetworks(text('BLOCKED_NETWORKS'), problems),
    blockedNetworksFile: text('BLOCKED_NETWORKS_FILE'),
    maxRequestsPerSecondPerAddress: whole('MAX_REQUESTS_PER_SECOND_PER_ADDRESS'),
    maxRequestsPerSecondPerDevice: whole('MAX_REQUESTS_PER_SECOND_PER_DEVICE'),
    maxKeylessRequestsPerSecondPerAddress: whole('MAX_KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS'),
    maxImpressionsPerSecondPerAddress: whole('MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS'),
    geoipDatabase: text('GEOIP_DATABASE'),
    replayWindowMs: whole('REPLAY_WINDOW_SECONDS') * 1000,
    auctionSamplesPerSecond: whole('AUCTION_SAMPLES_PER_SECOND'),
    auctionRecordsKept: whole('AUCTION_RECORDS_KEPT'),
    blockedCategories: readCategories(text('BLOCKED_CATEGORIES'), problems),
    drainMs: whole('DRAIN_SECONDS') * 1000,
    startWaitMs: whole('START_WAIT_SECONDS') * 1000,
    exchangeDomain: domain('EXCHANGE_DOMAIN', publicBaseUrl),
    ownDomain: text('EXCHANGE_DOMAIN')?.toLowerCase() ?? null,
    tcfVendorId: text('TCF_VENDOR_ID') === null ? null : whole('TCF_VENDOR_ID'),
    truncateWithoutConsent: flag('TRUNCATE_WITHOUT_CONSENT'),
    sellersContactEmail: text('SELLERS_CONTACT_EMAIL') ?? adminEmail,
    sellersContactAddress: text('SELLERS_CONTACT_ADDRESS'),
    sellersIdentifiers: readIdentifiers(text('SELLERS_IDENTIFIERS'), problems),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS),
  };
  const { sellersContactEmail: contact } = settings;
  if (contact !== adminEmail && !/^[^\s@]+@[^\s@]+$/.test(contact)) {
    problems.push(`SELLERS_CONTACT_EMAIL must be an e-mail address, not "${contact}"`);
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(settings.adminEmail)) problems.push('ADMIN_EMAIL must be an email address');
  if (settings.adminPassword !== null && !/^.{12,256}$/su.test(settings.adminPassword)) {
    problems.push('ADMIN_PASSWORD must have 12 to 256 characters');
  }
  if (settings.secretKey !== null && settings.secretKey.length < MIN_SECRET_KEY_LENGTH) {
    problems.push(`SECRET_KEY must have at least ${MIN_SECRET_KEY_LENGTH} characters`);
  }
  if (settings.previousSecretKeys.some((key) => key.length < MIN_SECRET_KEY_LENGTH)) {
    problems.push(`SECRET_KEY_PREVIOUS must list keys that each have at least ${MIN_SECRET_KEY_LENGTH} characters`);
  }
  if ((text('REDIS_URL') === null || text('MONGODB_URL') === null) && roles.size < ROLES.length) {
    problems.push(
      'ROLES can be divided only when both REDIS_URL and MONGODB_URL are set: the embedded log and store live in one process',
    );
  }
  if (settings.redisMinReplicas > redisWaitReplicas) {
    problems.push(
      `REDIS_MIN_REPLICAS is ${settings.redisMinReplicas}, of the ${redisWaitReplicas} that REDIS_WAIT_REPLICAS says`,
    );
  }
  problems.push(...sharedPorts(settings));
  problems.push(...misspeltSettings(environment));
  if (problems.length > 0) throw new InvalidSettings(problems.join('\n'));
  return settings;
}

/** All of them where some are wrong, so that what follows complains of nothing else. */
function readRoles(given: string, problems: string[]): ReadonlySet<Role> {
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => name !== 'all' && !ROLES.includes(name as Role));
  for (const name of unknown) problems.push(`ROLES: "${name}" is none of all, ${ROLES.join(', ')}`);
  if (unknown.length > 0 || names.includes('all')) return new Set(ROLES);
  return new Set(names as Role[]);
}

/** `TAG-ID=abc,DUNS=123`: each identifier of the exchange, e.g. of the Trustworthy Accountability Group, with its value. */
function readIdentifiers(given: string | null, problems: string[]): { name: string; value: string }[] {
  const pairs = (given ?? '').split(',').map((pair) => pair.trim());
  return pairs.flatMap((pair) => {
    if (pair === '') return [];
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (name.trim() !== '' && value.trim() !== '') return [{ name: name.trim(), value: value.trim() }];
    problems.push(`SELLERS_IDENTIFIERS must be name=value, separated by commas; "${pair}" is not`);
    return [];
  });
}

/** `203.0.113.0/24,2001:db8::/32`. */
function readNetworks(given: string | null, problems: string[]): Network[] {
  return listed(given).flatMap((stated) => {
    const network = parseNetwork(stated);
    if (network !== null) return [network];
    problems.push(`BLOCKED_NETWORKS must list networks such as 203.0.113.0/24 or 2001:db8::/32; "${stated}" is none`);
    return [];
  });
}

/** `IAB7-39,IAB9-9`. */
function readCategories(given: string | null, problems: string[]): string[] {
  return listed(given).flatMap((stated) => {
    const category = stated.toUpperCase();
    if (/^IAB\d{1,2}(?:-\d{1,2})?$/.test(category)) return [category];
    problems.push(`BLOCKED_CATEGORIES must list IAB content categories such as IAB7-39; "${stated}" is none`);
    return [];
  });
}

function listed(given: string | null): string[] {
  const parts = (given ?? '').split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** An address of this machine: what a name leads to may change, and a port must not move to a public address by that. */
function readAddress(name: string, given: string, problems: string[]): string {
  if (isIP(given) === 0) problems.push(`${name} must be an IP address such as 127.0.0.1 or 0.0.0.0, not "${given}"`);
  return given;
}

/** Ports that this process would open twice. */
function sharedPorts({ roles, port, edgePort, opsPort }: Settings): string[] {
  const opened: [string, number][] = [['OPS_PORT', opsPort]];
  if (roles.has('management')) opened.unshift(['PORT', port]);
  if (roles.has('edge')) opened.unshift(['EDGE_PORT', edgePort]);
  const names = new Map<number, string[]>();
  for (const [name, number] of opened) if (number !== 0) names.set(number, [...(names.get(number) ?? []), name]);
  return [...names]
    .filter(([, sharing]) => sharing.length > 1)
    .map(([number, sharing]) => `${sharing.join(' and ')} must differ: both are ${number}`);
}

const REDIS_SCHEMES = ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel'];

/** The servers that a URL of Redis names, a URL for each: nodes of a Redis Cluster, or Sentinels (see `parseRedisUrl`). */
export function redisNodes(given: string): string[] {
  if (/^rediss?\+sentinel:/.test(given)) {
    const [, hosts = ''] = /\/\/(?:.*@)?([^/@?]+)\/[^/?]/.exec(given) ?? [];
    return hosts.split(',').map((host) => `redis://${host.trim().replace(/(?<!:\d+)$/, ':26379')}`);
  }
  return given.split(',').map((node) => (node.includes('://') ? node.trim() : `redis://${node.trim()}`));
}

/** One URL for each member of a replica set, which one URL lists: `mongodb://a:27017,b:27017/database`. */
export function replicaSetMembers(given: string): string[] {
  const [, before, hosts, after] = /^([\w+]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(given) ?? [];
  return (hosts ?? '').split(',').map((host) => (host === '' ? '' : `${before}${host}${after}`));
}
