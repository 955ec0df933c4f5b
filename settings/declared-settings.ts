import { REGIONS } from '../exchange/region.ts';
import {
  choice,
  derived,
  derivedFlag,
  flag,
  list,
  map,
  NONE,
  optionalWhole,
  type Setting,
  secret,
  secretList,
  text,
  UNSET,
  whole,
} from './declaration.ts';
import {
  address,
  apiKey,
  categories,
  domain,
  filePlace,
  identifiers,
  matching,
  mongodbUrl,
  networks,
  origins,
  plainWebUrl,
  ratesUrl,
  redisUrl,
  regionAddresses,
  roles,
  secretKey,
  secretKeys,
  webUrl,
  words,
} from './forms.ts';

/** The members of a MongoDB replica set that whole snapshots of the catalogue are read from. */
const SNAPSHOT_READS = ['primary', 'secondary-preferred'] as const;
/** The clients that bidders are called with. */
const BIDDER_HTTP_CLIENTS = ['sockets', 'undici'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const MINUTE_MS = 60_000;
/** Bidder codes of Prebid: they stand in names of key values, JavaScript and Go. */
const BIDDER_CODE = /^[A-Za-z][A-Za-z0-9_]{1,31}$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
/** What PARTITIONS may be at most. */
export const MOST_PARTITIONS = 256;

const ofProcess = {
  roles: text('ROLES', 'all', 'comma list of `management`, `edge`, `actors`, `scheduler`, or `all`', roles),
  port: whole('PORT', 8080, [0, 65_535], 'port of the management API; 0: any free one'),
  edgePort: whole('EDGE_PORT', 8081, [0, 65_535], 'port of ad requests and tracking; 0: any free one'),
  edgeWorkers: whole(
    'EDGE_WORKERS',
    1,
    [1, 256],
    'edges of this machine, one process each, that share EDGE_PORT below one supervisor: as many as it has cores to spare',
  ),
  opsPort: whole('OPS_PORT', 9090, [0, 65_535], 'port of `/metrics`, `/livez` and `/readyz`; 0: any free one'),
  opsHost: text(
    'OPS_HOST',
    '127.0.0.1',
    'address that the operations port listens on, which asks nobody who they are; the image sets 0.0.0.0',
    address,
  ),
  tracesUrl: derived(
    'TRACES_URL',
    'nothing is traced',
    'where traces are posted to, by OTLP over HTTP: `http://collector:4318/v1/traces`; see [traces](traces.md)',
    webUrl,
  ),
  tracesPerMillion: whole(
    'TRACES_PER_MILLION',
    1_000,
    [0, 1_000_000],
    'ad requests of a million that are traced, of those whose callers do not trace them; at most 50 a second',
  ),
  metricsNamedDsps: whole(
    'METRICS_NAMED_DSPS',
    100,
    [0, 10_000],
    'demand sources, of live and of sandbox traffic each, that `/metrics` of an edge names; the rest are `other` together',
  ),
  revision: text(
    'REVISION',
    'unknown',
    'the commit that the program was built of, for `exchange_build_info`; the image sets it from its build argument',
  ),
  region: choice('REGION', 'fra', REGIONS, 'the region that this process serves'),
  drainMs: whole(
    'DRAIN_SECONDS',
    0,
    [0, 300],
    'seconds for which a process that is stopping, unready, goes on serving; an edge that SIGUSR2 restarts: 3 at least',
    { unit: 1_000 },
  ),
  startWaitMs: whole(
    'START_WAIT_SECONDS',
    60,
    [0, 3_600],
    'seconds for which a start waits for Redis and MongoDB that are not up yet, naming them once a second',
    { unit: 1_000 },
  ),
  logLevel: choice('LOG_LEVEL', 'info', LOG_LEVELS, 'the least that is logged; `debug` names every refused request'),
  dashboard: map(
    choice('DASHBOARD', 'on', ['on', 'off'], 'whether the management API’s port shows the dashboard to browsers'),
    (word) => word === 'on',
  ),
  accessLog: flag('ACCESS_LOG', true, 'whether each answer of the API has its line in the log, without secrets'),
};

const ofData = {
  dataDir: text(
    'DATA_DIR',
    './data',
    'folder of the embedded log and store, and of an edge’s spool: each process’s own. After a kill in a container, or a power failure, it opens 10 s later',
  ),
  redisUrl: secret(
    'REDIS_URL',
    UNSET,
    '`redis://…`, `rediss://…` or `redis+sentinel://host,host/<primary>`; nodes of a cluster with commas between. Unset: embedded',
    redisUrl,
  ),
  previousRedisUrls: secretList(
    'REDIS_URL_PREVIOUS',
    NONE,
    'earlier ones, spaces between: what edges of 0.4 spooled under them is replayed',
    words,
  ),
  redisWaitReplicas: whole(
    'REDIS_WAIT_REPLICAS',
    0,
    [0, 5],
    'replicas of each Redis server that may be promoted: all are waited for ([reliability.md](reliability.md))',
  ),
  redisMinReplicas: optionalWhole(
    'REDIS_MIN_REPLICAS',
    [0, 5],
    'so many replicas go on being waited for when others stay away; all of them unless set',
  ),
  redisPrefix: text('REDIS_PREFIX', 'exchange', 'what every key in Redis begins with'),
  edgeRedisUrl: secret(
    'EDGE_REDIS_URL',
    '`REDIS_URL`',
    'where the edges of a region count how often a device saw a campaign',
    redisUrl,
  ),
  regionRedisUrl: secret(
    'REGION_REDIS_URL',
    UNSET,
    'the log of a region’s own that its edges take impressions into, relayed to the one at `REDIS_URL`; see [regions](subsystems/regions.md). Unset: they go there at once',
    redisUrl,
  ),
  factsRedisUrl: secret(
    'FACTS_REDIS_URL',
    UNSET,
    'where counts of edges travel in a log of their own, apart from money; it may sync each second. Unset: in the log at `REDIS_URL`',
    redisUrl,
  ),
  mongodbUrl: secret('MONGODB_URL', UNSET, '`mongodb://…/database`. Unset: the embedded store', mongodbUrl),
  mongodbWriteBatch: whole('MONGODB_WRITE_BATCH', 1000, [1, 100_000], 'documents in one write command'),
  mongodbSnapshotReads: choice(
    'MONGODB_SNAPSHOT_READS',
    'primary',
    SNAPSHOT_READS,
    'where replicas of the catalogue read whole kinds; a replica set’s secondaries are waited for until they have all',
  ),
  partitions: whole(
    'PARTITIONS',
    64,
    [1, MOST_PARTITIONS],
    'partitions of the log; fixed at the first start; `exchange partitions` moves a stopped exchange to [more](operations/more-partitions.md)',
    {
      because:
        'ledgers are not ready for more, as each keeps the newest minutes of every partition in one document that is written whole',
    },
  ),
  ledgerRetentionDays: whole(
    'LEDGER_RETENTION_DAYS',
    400,
    [62, 36_500],
    'days after which books are archived, once their month is frozen',
  ),
  archiveDir: derived(
    'ARCHIVE_DIR',
    '`DATA_DIR/archive`',
    'folder of archived books, a gzipped NDJSON file a day; one for all schedulers',
  ),
};

const ofNames = {
  publicBaseUrl: derived(
    'PUBLIC_BASE_URL',
    '`http://localhost:PORT`',
    'what URLs of the management API begin with; `https` makes cookies `Secure`',
    plainWebUrl,
  ),
  publicEdgeUrl: derived(
    'PUBLIC_EDGE_URL',
    'that of `REGION` in `REGION_URLS`, else `http://localhost:EDGE_PORT`',
    'what tracking URLs and tags begin with',
    plainWebUrl,
  ),
  regionUrls: list(
    'REGION_URLS',
    '`REGION=PUBLIC_EDGE_URL`',
    'where the edges of each region are, the same in all processes: `fra=https://fra.ads.example,nyc=https://nyc.ads.example`; see [the nearest region](operations/nearest-region.md)',
    regionAddresses,
  ),
  publicCreativesUrl: derived(
    'PUBLIC_CREATIVES_URL',
    '`PUBLIC_EDGE_URL`',
    'host name of their own for creatives: leads to the edges; see [security.md](security.md)',
    plainWebUrl,
  ),
  ownDomain: derived(
    'EXCHANGE_DOMAIN',
    'host of `PUBLIC_BASE_URL`',
    'our name in `schain`, what publishers list in ads.txt (set it before verification), and the domain whose pages may call the API',
    domain,
  ),
  corsOrigins: list(
    'CORS_ORIGINS',
    NONE,
    'origins, commas between, whose pages may call the API beside our own',
    origins,
  ),
  trustProxyHops: whole(
    'TRUST_PROXY_HOPS',
    0,
    [0, 10],
    'proxies of ours in front, whose `X-Forwarded-*` are believed; edges too',
  ),
  sellersContactEmail: derived(
    'SELLERS_CONTACT_EMAIL',
    '`ADMIN_EMAIL`',
    'the e-mail address that sellers.json names',
    matching(EMAIL, (given) => `be an e-mail address, not "${given}"`),
  ),
  sellersContactAddress: derived('SELLERS_CONTACT_ADDRESS', UNSET, 'the postal address that sellers.json names'),
  prebidBidderCode: text(
    'PREBID_BIDDER_CODE',
    'adexchange',
    'the bidder code by which clients of Prebid Server ask this exchange; see [prebid-server.md](prebid-server.md)',
    matching(BIDDER_CODE, (given) => `be 2 to 32 letters, digits and _ that begin with a letter, not "${given}"`),
  ),
  sellersIdentifiers: list('SELLERS_IDENTIFIERS', UNSET, '`TAG-ID=…,DUNS=…` in sellers.json', identifiers),
};

const ofSecrets = {
  secretKey: secret(
    'SECRET_KEY',
    'embedded store: made, kept in `DATA_DIR/secret-key`',
    'master secret of tracking URLs and sealed keys, 32 characters or more; required with MongoDB',
    secretKey,
  ),
  previousSecretKeys: secretList(
    'SECRET_KEY_PREVIOUS',
    NONE,
    'earlier ones, commas or line ends between: what they signed or sealed still holds',
    secretKeys,
  ),
  adminEmail: text(
    'ADMIN_EMAIL',
    'admin@localhost',
    'the first operator, made while there is no user',
    matching(EMAIL, () => 'be an email address'),
  ),
  adminPassword: secret(
    'ADMIN_PASSWORD',
    'made and shown once',
    'that operator’s password, 12 to 256 characters',
    matching(/^.{12,256}$/su, () => 'have 12 to 256 characters'),
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    'made and shown once',
    'live key (`pk_live_…`), registered when the store is empty',
    apiKey('pk_live_'),
  ),
  bootstrapSandboxApiKey: secret(
    'BOOTSTRAP_SANDBOX_API_KEY',
    'made and shown once',
    'sandbox key (`pk_sandbox_…`), registered when the store is empty',
    apiKey('pk_sandbox_'),
  ),
  sessionLifetimeDays: whole(
    'SESSION_LIFETIME_DAYS',
    30,
    [1, 365],
    'days after which a session ends, used or not; 24 hours unused end it too',
  ),
};

const ofSafety = {
  allowPrivateNetworks: derivedFlag(
    'ALLOW_PRIVATE_NETWORKS',
    '`true` with the embedded store and local public URLs, else `false`',
    'whether bidders, creatives, devices, webhooks and ads.txt may be on private addresses; else their names are looked up in the DNS alone, without /etc/hosts and search domains',
  ),
  bidderHttpClient: choice(
    'BIDDER_HTTP_CLIENT',
    'sockets',
    BIDDER_HTTP_CLIENTS,
    'what calls bidders: `sockets`, our own client of HTTP/1.1, or `undici`, dearer, which speaks HTTP/2 too',
  ),
  bidderCaFile: derived(
    'BIDDER_CA_FILE',
    NONE,
    'a PEM file of authorities that may vouch for bidders, beside the well-known; all that calls or is tried for them reads it',
  ),
  bidderCertificateFile: derived(
    'BIDDER_CERTIFICATE_FILE',
    NONE,
    'a PEM file with our certificate and its chain, for bidders that ask for one (mutual TLS)',
  ),
  bidderCertificateKey: secret('BIDDER_CERTIFICATE_KEY', NONE, 'the private key of that certificate, PEM'),
  httpsCreativesOnly: derivedFlag(
    'HTTPS_CREATIVES_ONLY',
    '`false` with the embedded store, else `true`',
    'https for all that an ad loads, whoever bids: every imp is sold as `secure: 1`',
  ),
  tcfVendorId: optionalWhole(
    'TCF_VENDOR_ID',
    [1, 65_535],
    'our id in the IAB’s vendor list; unset: under GDPR nobody has consented to us',
  ),
  truncateWithoutConsent: flag(
    'TRUNCATE_WITHOUT_CONSENT',
    true,
    'whether ids, place and address are cut short under GDPR without consent to us',
  ),
  blockedCategories: list(
    'BLOCKED_CATEGORIES',
    NONE,
    'IAB categories not sold to, such as `IAB7-39`, beside those never sold',
    categories,
  ),
};

const ofCurrencies = {
  currencyRatesUrl: derived(
    'CURRENCY_RATES_URL',
    'no currency is converted',
    'where the rates of currencies are: `file:`, `http:` or `https:`; see [currencies](currencies.md)',
    ratesUrl,
  ),
  currencyRatesRefreshMs: whole(
    'CURRENCY_RATES_REFRESH_MINUTES',
    30,
    [1, 1_440],
    'minutes after which the rates are read again',
    { unit: MINUTE_MS },
  ),
  currencyRatesMaxAgeMs: whole(
    'CURRENCY_RATES_MAX_AGE_DAYS',
    7,
    [1, 60],
    'days after their own date at which rates are used no more, so that no currency is converted',
    { unit: DAY_MS },
  ),
};

const ofInvalidTraffic = {
  blockedNetworks: list(
    'BLOCKED_NETWORKS',
    NONE,
    'data centres and proxies whose devices are refused: `203.0.113.0/24,2001:db8::/32`',
    networks,
  ),
  blockedNetworksFile: derived(
    'BLOCKED_NETWORKS_FILE',
    NONE,
    'a file with one such network a line, on top; read again within two minutes of a change',
  ),
  maxRequestsPerSecondPerAddress: whole(
    'MAX_REQUESTS_PER_SECOND_PER_ADDRESS',
    100,
    [0, 1_000_000],
    'ad requests for devices of one address, at one edge; 0: any number',
  ),
  maxRequestsPerSecondPerDevice: whole(
    'MAX_REQUESTS_PER_SECOND_PER_DEVICE',
    10,
    [0, 1_000_000],
    'ad requests of one device id, at one edge; 0: any number',
  ),
  maxKeylessRequestsPerSecondPerAddress: whole(
    'MAX_KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS',
    1_000,
    [0, 1_000_000],
    'ad requests with neither key nor device of one caller’s address; 0: any number',
  ),
  maxImpressionsPerSecondPerAddress: whole(
    'MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS',
    100,
    [0, 1_000_000],
    'pixels called by viewers’ devices of one address; beyond, invalid. 0: any number',
  ),
  replayWindowMs: whole(
    'REPLAY_WINDOW_SECONDS',
    300,
    [0, 86_400],
    'seconds for which a bid request’s id is not taken again with the same imps',
    { unit: 1_000 },
  ),
  geoipDatabase: derived(
    'GEOIP_DATABASE',
    UNSET,
    'a MaxMind `.mmdb`, read at the start: pixels called from another country than the request’s are invalid',
  ),
};

const ofCreatives = {
  creativesDir: derived(
    'CREATIVES_DIR',
    '`DATA_DIR/creatives`',
    'folder of creatives’ files: one for all management and edge processes',
  ),
  creativesS3Bucket: derived(
    'CREATIVES_S3_BUCKET',
    UNSET,
    'a bucket for them instead; credentials as the AWS SDK finds them',
    matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, (given) => `be the name of a bucket, not "${given}"`),
  ),
  creativesS3Endpoint: derived(
    'CREATIVES_S3_ENDPOINT',
    'Amazon’s',
    'where that bucket is, when it is not Amazon’s',
    webUrl,
  ),
  creativesS3Region: text('CREATIVES_S3_REGION', 'us-east-1', 'the bucket’s region'),
  creativeRefreshMs: whole(
    'CREATIVE_REFRESH_HOURS',
    24,
    [1, 8_760],
    'hours after which what was fetched of a creative is fetched again',
    { unit: HOUR_MS },
  ),
  creativeRescanMs: whole(
    'CREATIVE_RESCAN_HOURS',
    24,
    [1, 8_760],
    'hours after which a creative that was sold is scanned again',
    { unit: HOUR_MS },
  ),
  creativeRetentionDays: whole(
    'CREATIVE_RETENTION_DAYS',
    90,
    [1, 3_650],
    'days after its last sale or offer at which a creative that no decision names is forgotten',
  ),
  creativesPerDsp: whole(
    'CREATIVES_PER_DSP',
    10_000,
    [1, 1_000_000],
    'undecided creatives kept of a demand source, those seen last; also its new ones a day at an edge',
  ),
  creativeRenderer: derived(
    'CREATIVE_RENDERER',
    UNSET,
    'path of a Chromium that scans render HTML creatives with; see [creatives](subsystems/creatives.md)',
  ),
  creativesQuotaBytes: whole(
    'CREATIVES_QUOTA_MIB',
    102_400,
    [1, 1_000_000_000],
    'MiB that all files of creatives may come to; an account’s share is a limit of its own',
    { unit: MIB },
  ),
  creativesDiskReserveBytes: whole(
    'CREATIVES_DISK_RESERVE_MIB',
    1_024,
    [0, 1_000_000_000],
    'MiB free on their disk below which none is fetched: the log’s, if they share it',
    { unit: MIB },
  ),
};

const ofAuctions = {
  renderWindowMs: whole(
    'RENDER_WINDOW_SECONDS',
    3_600,
    [1, 86_400],
    'seconds after its auction in which an impression still counts, and for which a frequency cap holds at least',
    { unit: 1_000 },
  ),
  prebidCacheBytes: whole(
    'PREBID_CACHE_MIB',
    64,
    [0, 4_096],
    'MiB of bids that an edge keeps for 5 minutes, in the Redis of its region or in memory, for ad servers’ creatives to fetch; 0: none',
    { unit: MIB },
  ),
  maxAuctionsInFlight: whole(
    'MAX_AUCTIONS_IN_FLIGHT',
    2_000,
    [1, 1_000_000],
    'auctions at once at an edge; more are answered 503',
  ),
  newPublisherSharePercent: whole(
    'NEW_PUBLISHER_SHARE_PERCENT',
    5,
    [1, 100],
    'percent of one budget that a publisher may hold sold and unrendered that has rendered nothing yet',
  ),
  auctionSamplesPerSecond: whole(
    'AUCTION_SAMPLES_PER_SECOND',
    1,
    [0, 1_000],
    'live auctions that an edge records in a second for `GET /api/auctions`; 0: none',
  ),
  auctionRecordsKept: whole(
    'AUCTION_RECORDS_KEPT',
    100_000,
    [100, 10_000_000],
    'recorded auctions kept at most, for three days',
  ),
  maxSocketsPerAddress: whole(
    'MAX_SOCKETS_PER_ADDRESS',
    1_000,
    [0, 1_000_000],
    'connections of one public address, on each port; 0: any number. Proxies of ours: any number',
  ),
  maxMetricsSockets: whole(
    'MAX_METRICS_SOCKETS',
    10_000,
    [1, 1_000_000],
    'WebSockets of a management process; an account has at most a quarter',
  ),
  maxMetricsSocketsPerCredential: whole(
    'METRICS_SOCKETS_PER_KEY',
    1_000,
    [1, 1_000_000],
    'WebSockets of one key or session',
  ),
  anonymousRequestsPerMinute: whole(
    'ANONYMOUS_REQUESTS_PER_MINUTE',
    300,
    [1, 1_000_000],
    'requests of one address to the API, without credentials',
  ),
};

const ofLogLevelData = {
  logLevelDataUrl: derived(
    'LOG_LEVEL_DATA_URL',
    UNSET,
    'where hourly files of single events go, `file:///folder` or `s3://bucket/prefix`, the same in all processes; see [log-level data](log-level-data.md)',
    filePlace,
  ),
  logLevelDataS3Endpoint: derived(
    'LOG_LEVEL_DATA_S3_ENDPOINT',
    'Amazon’s',
    'where that bucket is, when it is not Amazon’s; credentials as the AWS SDK finds them',
    webUrl,
  ),
  logLevelDataS3Region: text('LOG_LEVEL_DATA_S3_REGION', 'us-east-1', 'the bucket’s region'),
  logLevelDataRetentionDays: whole(
    'LOG_LEVEL_DATA_RETENTION_DAYS',
    0,
    [0, 36_500],
    'days after which these files are deleted; 0: never',
  ),
};

/**
 * All settings by field, each declared once: its environment variable, default, bounds, documentation and reader. The
 * order is that of the documentation: `npm run reference` generates docs/settings.md and .env.example from this list.
 * Defaults and checks that depend on several settings are in resolve.ts.
 */
export const SETTINGS_GROUPS = [
  { title: 'What a process does', settings: ofProcess },
  { title: 'Where data is kept', settings: ofData },
  { title: 'Names and addresses', settings: ofNames },
  { title: 'Secrets and first credentials', settings: ofSecrets },
  { title: 'Safety and privacy', settings: ofSafety },
  { title: 'Currencies', settings: ofCurrencies },
  { title: 'Invalid traffic', settings: ofInvalidTraffic },
  { title: 'Creatives', settings: ofCreatives },
  { title: 'Auctions and what they may take', settings: ofAuctions },
  { title: 'Log-level data', settings: ofLogLevelData },
] as const satisfies readonly { readonly title: string; readonly settings: Readonly<Record<string, Setting>> }[];

type Groups = (typeof SETTINGS_GROUPS)[number]['settings'];
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type Fields = Intersection<Groups>;

/** The values that the environment sets, by field. */
export type StatedSettings = {
  readonly [Field in keyof Fields]: Fields[Field] extends Setting<infer T> ? T : never;
};

/** All settings by field. */
export const SETTINGS: Readonly<Record<string, Setting>> = Object.assign(
  {},
  ...SETTINGS_GROUPS.map(({ settings }) => settings),
);

/** All environment variables that are read: those of the settings, and `<name>_FILE` for secrets. */
export const SETTING_NAMES: ReadonlySet<string> = new Set(
  Object.values(SETTINGS).flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name])),
);

/** The names of all secret settings; server URLs count, since they may contain passwords. */
export const SECRET_SETTINGS: readonly string[] = Object.values(SETTINGS)
  .filter((setting) => setting.secret === true)
  .map(({ name }) => name);
