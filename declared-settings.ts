import { REGIONS } from './exchange/region.ts';
import {
  choice,
  type DeclaredSetting,
  derived,
  flag,
  NONE,
  optionalWhole,
  type SettingsGroup,
  secret,
  text,
  UNSET,
  whole,
} from './setting-declaration.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * All settings, in the order of their documentation: docs/settings.md and .env.example are made of them by
 * `npm run reference`.
 */
export const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    title: 'What a process does',
    settings: [
      text('ROLES', 'all', 'comma list of `management`, `edge`, `actors`, `scheduler`, or `all`'),
      whole('PORT', 8080, 0, 65_535, 'port of the management API; 0: any free one'),
      whole('EDGE_PORT', 8081, 0, 65_535, 'port of ad requests and tracking; 0: any free one'),
      whole('OPS_PORT', 9090, 0, 65_535, 'port of `/metrics`, `/livez` and `/readyz`; 0: any free one'),
      text(
        'OPS_HOST',
        '127.0.0.1',
        'address that the operations port listens on, which asks nobody who they are; the image sets 0.0.0.0',
      ),
      choice('REGION', 'fra', REGIONS, 'the region that this process serves'),
      whole('DRAIN_SECONDS', 0, 0, 300, 'seconds for which a process that is stopping, unready, goes on serving'),
      whole(
        'START_WAIT_SECONDS',
        60,
        0,
        3_600,
        'seconds for which a start waits for Redis and MongoDB that are not up yet, naming them once a second',
      ),
      choice('LOG_LEVEL', 'info', LOG_LEVELS, 'the least that is logged; `debug` names every refused request'),
      choice('DASHBOARD', 'on', ['on', 'off'], 'whether the management API’s port shows the dashboard to browsers'),
      flag('ACCESS_LOG', true, 'whether each answer of the API has its line in the log, without secrets'),
    ],
  },
  {
    title: 'Where data is kept',
    settings: [
      text('DATA_DIR', './data', 'folder of the embedded log and store, and of an edge’s spool: each process’s own'),
      secret(
        'REDIS_URL',
        UNSET,
        '`redis://…`, `rediss://…` or `redis+sentinel://host,host/<primary>`; nodes of a cluster with commas between. Unset: embedded',
      ),
      secret(
        'REDIS_URL_PREVIOUS',
        NONE,
        'earlier ones, spaces between: what edges of 0.4 spooled under them is replayed',
      ),
      whole(
        'REDIS_WAIT_REPLICAS',
        0,
        0,
        5,
        'replicas of each Redis server that may be promoted: all are waited for ([reliability.md](reliability.md))',
      ),
      optionalWhole(
        'REDIS_MIN_REPLICAS',
        0,
        5,
        'so many replicas go on being waited for when others stay away; all of them unless set',
      ),
      text('REDIS_PREFIX', 'exchange', 'what every key in Redis begins with'),
      secret('EDGE_REDIS_URL', '`REDIS_URL`', 'where the edges of a region count how often a device saw a campaign'),
      secret('MONGODB_URL', UNSET, '`mongodb://…/database`. Unset: the embedded store'),
      whole('MONGODB_WRITE_BATCH', 1000, 1, 100_000, 'documents in one write command'),
      whole('PARTITIONS', 64, 1, 1024, 'partitions of the log; fixed at the first start'),
      whole(
        'LEDGER_RETENTION_DAYS',
        400,
        62,
        36_500,
        'days after which books are archived, once their month is frozen',
      ),
      derived(
        'ARCHIVE_DIR',
        '`DATA_DIR/archive`',
        'folder of archived books, a gzipped NDJSON file a day; one for all schedulers',
      ),
    ],
  },
  {
    title: 'Names and addresses',
    settings: [
      derived(
        'PUBLIC_BASE_URL',
        '`http://localhost:PORT`',
        'what URLs of the management API begin with; `https` makes cookies `Secure`',
      ),
      derived('PUBLIC_EDGE_URL', '`http://localhost:EDGE_PORT`', 'what tracking URLs and tags begin with'),
      derived(
        'PUBLIC_CREATIVES_URL',
        '`PUBLIC_EDGE_URL`',
        'host name of their own for creatives: leads to the edges; see [security.md](security.md)',
      ),
      derived(
        'EXCHANGE_DOMAIN',
        'host of `PUBLIC_BASE_URL`',
        'our name in `schain`, what publishers list in ads.txt (set it before verification), and the domain whose pages may call the API',
      ),
      derived('CORS_ORIGINS', NONE, 'origins, commas between, whose pages may call the API beside our own'),
      whole('TRUST_PROXY_HOPS', 0, 0, 10, 'proxies of ours in front, whose `X-Forwarded-*` are believed; edges too'),
      derived('SELLERS_CONTACT_EMAIL', '`ADMIN_EMAIL`', 'the e-mail address that sellers.json names'),
      derived('SELLERS_CONTACT_ADDRESS', UNSET, 'the postal address that sellers.json names'),
      derived('SELLERS_IDENTIFIERS', UNSET, '`TAG-ID=…,DUNS=…` in sellers.json'),
    ],
  },
  {
    title: 'Secrets and first credentials',
    settings: [
      secret(
        'SECRET_KEY',
        'embedded store: made, kept in `DATA_DIR/secret-key`',
        'master secret of tracking URLs and sealed keys, 32 characters or more; required with MongoDB',
      ),
      secret(
        'SECRET_KEY_PREVIOUS',
        NONE,
        'earlier ones, commas or line ends between: what they signed or sealed still holds',
      ),
      text('ADMIN_EMAIL', 'admin@localhost', 'the first operator, made while there is no user'),
      secret('ADMIN_PASSWORD', 'made and shown once', 'that operator’s password, 12 to 256 characters'),
      secret('BOOTSTRAP_API_KEY', 'made and shown once', 'live key (`pk_live_…`), registered when the store is empty'),
      secret(
        'BOOTSTRAP_SANDBOX_API_KEY',
        'made and shown once',
        'sandbox key (`pk_sandbox_…`), registered when the store is empty',
      ),
      whole(
        'SESSION_LIFETIME_DAYS',
        30,
        1,
        365,
        'days after which a session ends, used or not; 24 hours unused end it too',
      ),
    ],
  },
  {
    title: 'Safety and privacy',
    settings: [
      flag(
        'ALLOW_PRIVATE_NETWORKS',
        '`true` with the embedded store and local public URLs, else `false`',
        'whether bidders, creatives, devices, webhooks and ads.txt may be on private addresses',
      ),
      flag(
        'HTTPS_CREATIVES_ONLY',
        '`false` with the embedded store, else `true`',
        'https for all that an ad loads, whoever bids: every imp is sold as `secure: 1`',
      ),
      optionalWhole(
        'TCF_VENDOR_ID',
        1,
        65_535,
        'our id in the IAB’s vendor list; unset: under GDPR nobody has consented to us',
      ),
      flag(
        'TRUNCATE_WITHOUT_CONSENT',
        true,
        'whether ids, place and address are cut short under GDPR without consent to us',
      ),
      derived('BLOCKED_CATEGORIES', NONE, 'IAB categories not sold to, such as `IAB7-39`, beside those never sold'),
    ],
  },
  {
    title: 'Invalid traffic',
    settings: [
      derived(
        'BLOCKED_NETWORKS',
        NONE,
        'data centres and proxies whose devices are refused: `203.0.113.0/24,2001:db8::/32`',
      ),
      derived('BLOCKED_NETWORKS_FILE', NONE, 'a file with one such network a line, on top'),
      whole(
        'MAX_REQUESTS_PER_SECOND_PER_ADDRESS',
        100,
        0,
        1_000_000,
        'ad requests for devices of one address, at one edge; 0: any number',
      ),
      whole(
        'MAX_REQUESTS_PER_SECOND_PER_DEVICE',
        10,
        0,
        1_000_000,
        'ad requests of one device id, at one edge; 0: any number',
      ),
      whole(
        'MAX_KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS',
        1_000,
        0,
        1_000_000,
        'ad requests with neither key nor device of one caller’s address; 0: any number',
      ),
      whole(
        'MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS',
        100,
        0,
        1_000_000,
        'pixels called by viewers’ devices of one address; beyond, invalid. 0: any number',
      ),
      whole(
        'REPLAY_WINDOW_SECONDS',
        300,
        0,
        86_400,
        'seconds for which a bid request’s id is not taken again with the same imps',
      ),
      derived(
        'GEOIP_DATABASE',
        UNSET,
        'a MaxMind `.mmdb`: pixels called from another country than the request’s are invalid',
      ),
    ],
  },
  {
    title: 'Creatives',
    settings: [
      derived(
        'CREATIVES_DIR',
        '`DATA_DIR/creatives`',
        'folder of creatives’ files: one for all management and edge processes',
      ),
      derived('CREATIVES_S3_BUCKET', UNSET, 'a bucket for them instead; credentials as the AWS SDK finds them'),
      derived('CREATIVES_S3_ENDPOINT', 'Amazon’s', 'where that bucket is, when it is not Amazon’s'),
      text('CREATIVES_S3_REGION', 'us-east-1', 'the bucket’s region'),
      whole(
        'CREATIVE_REFRESH_HOURS',
        24,
        1,
        8_760,
        'hours after which what was fetched of a creative is fetched again',
      ),
      whole(
        'CREATIVES_QUOTA_MIB',
        102_400,
        1,
        1_000_000_000,
        'MiB that all files of creatives may come to; an account’s share is a limit of its own',
      ),
      whole(
        'CREATIVES_DISK_RESERVE_MIB',
        1_024,
        0,
        1_000_000_000,
        'MiB free on their disk below which none is fetched: the log’s, if they share it',
      ),
    ],
  },
  {
    title: 'Auctions and what they may take',
    settings: [
      whole('RENDER_WINDOW_SECONDS', 3_600, 1, 86_400, 'seconds after its auction in which an impression still counts'),
      whole('MAX_AUCTIONS_IN_FLIGHT', 2_000, 1, 1_000_000, 'auctions at once at an edge; more are answered 503'),
      whole(
        'NEW_PUBLISHER_SHARE_PERCENT',
        5,
        1,
        100,
        'percent of one budget that a publisher may hold sold and unrendered that has rendered nothing yet',
      ),
      whole(
        'AUCTION_SAMPLES_PER_SECOND',
        1,
        0,
        1_000,
        'live auctions that an edge records in a second for `GET /api/auctions`; 0: none',
      ),
      whole('AUCTION_RECORDS_KEPT', 100_000, 100, 10_000_000, 'recorded auctions kept at most, for three days'),
      whole(
        'MAX_SOCKETS_PER_ADDRESS',
        1_000,
        0,
        1_000_000,
        'connections of one public address, on each port; 0: any number. Proxies of ours: any number',
      ),
      whole(
        'MAX_METRICS_SOCKETS',
        10_000,
        1,
        1_000_000,
        'WebSockets of a management process; an account has at most a quarter',
      ),
      whole('METRICS_SOCKETS_PER_KEY', 1_000, 1, 1_000_000, 'WebSockets of one key or session'),
      whole(
        'ANONYMOUS_REQUESTS_PER_MINUTE',
        300,
        1,
        1_000_000,
        'requests of one address to the API, without credentials',
      ),
    ],
  },
];

const BY_NAME: ReadonlyMap<string, DeclaredSetting> = new Map(
  SETTINGS_GROUPS.flatMap(({ settings }) => settings.map((setting) => [setting.name, setting])),
);

/**
 * The declaration of an environment variable.
 * @throws Error when nothing is declared by this name: what is read must be documented
 */
export function declaredSetting(name: string): DeclaredSetting {
  const declared = BY_NAME.get(name);
  if (declared === undefined) throw new Error(`the setting ${name} is not declared in declared-settings.ts`);
  return declared;
}

/** Each environment variable that is read: the settings, and the files of those that hold secrets. */
export const SETTING_NAMES: ReadonlySet<string> = new Set(
  [...BY_NAME.values()].flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name])),
);

/** Settings that hold secrets, server URLs with their passwords among them. */
export const SECRET_SETTINGS: readonly string[] = [...BY_NAME.values()]
  .filter((setting) => setting.secret === true)
  .map(({ name }) => name);
