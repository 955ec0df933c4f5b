import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseNetwork } from '../edge/addresses/network-set.ts';
import { InvalidSettings, readSettings } from '../settings.ts';
import { readVersion } from '../version.ts';

/** The lines of what is wrong with this environment; none when nothing is. */
function problems(environment: Record<string, string>): string[] {
  try {
    readSettings(environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.message.split('\n');
  }
}

const BOTH_REAL = { REDIS_URL: 'redis://redis:6379', MONGODB_URL: 'mongodb://mongo:27017/exchange' };

/** What no path can be appended to, or others should not read. */
const NO_PLAIN_URLS = [
  'ftp://ads.example',
  'https://',
  'https://ads.example/?a=b',
  'https://ads.example?',
  'https://ads.example#a',
  'https://ads.example/#',
  'https://user:word@ads.example',
  'https://@ads.example',
  'https://ads.example/a b',
];

describe('the settings', () => {
  it('need nothing: everything has a default', () => {
    expect(readSettings({})).to.deep.equal({
      given: new Set(),
      roles: new Set(['management', 'edge', 'actors', 'scheduler']),
      port: 8080,
      edgePort: 8081,
      edgeWorkers: 1,
      opsPort: 9090,
      opsHost: '127.0.0.1',
      metricsNamedDsps: 100,
      revision: 'unknown',
      region: 'fra',
      dataDir: './data',
      redisUrl: null,
      previousRedisUrls: [],
      redisWaitReplicas: 0,
      redisMinReplicas: 0,
      redisPrefix: 'exchange',
      edgeRedisUrl: null,
      regionRedisUrl: null,
      factsRedisUrl: null,
      mongodbUrl: null,
      mongodbWriteBatch: 1000,
      mongodbSnapshotReads: 'primary',
      partitions: 64,
      publicBaseUrl: 'http://localhost:8080',
      publicEdgeUrl: 'http://localhost:8081',
      regionUrls: [{ code: 'fra', url: 'http://localhost:8081' }],
      publicCreativesUrl: 'http://localhost:8081',
      corsOrigins: [],
      trustProxyHops: 0,
      sessionLifetimeDays: 30,
      anonymousRequestsPerMinute: 300,
      dashboard: true,
      accessLog: true,
      adminEmail: 'admin@localhost',
      adminPassword: null,
      bootstrapApiKey: null,
      bootstrapSandboxApiKey: null,
      secretKey: null,
      previousSecretKeys: [],
      allowPrivateNetworks: true,
      bidderHttpClient: 'sockets',
      bidderCaFile: null,
      bidderCertificateFile: null,
      bidderCertificateKey: null,
      httpsCreativesOnly: false,
      creativesDir: 'data/creatives',
      creativesS3: null,
      logLevelData: null,
      logLevelDataRetentionDays: 0,
      creativeRefreshMs: 24 * 3_600_000,
      tracesUrl: null,
      tracesPerMillion: 1_000,
      currencyRatesUrl: null,
      currencyRatesRefreshMs: 30 * 60_000,
      currencyRatesMaxAgeMs: 7 * 86_400_000,
      creativeRescanMs: 24 * 3_600_000,
      creativeRetentionDays: 90,
      creativesPerDsp: 10_000,
      creativeRenderer: null,
      creativesQuotaBytes: 100 * 1024 ** 3,
      creativesDiskReserveBytes: 1024 ** 3,
      ledgerRetentionDays: 400,
      archiveDir: 'data/archive',
      renderWindowMs: 3_600_000,
      prebidCacheBytes: 67_108_864,
      maxAuctionsInFlight: 2_000,
      newPublisherSharePercent: 5,
      maxSocketsPerAddress: 1_000,
      maxMetricsSockets: 10_000,
      maxMetricsSocketsPerCredential: 1_000,
      blockedNetworks: [],
      blockedNetworksFile: null,
      maxRequestsPerSecondPerAddress: 100,
      maxRequestsPerSecondPerDevice: 10,
      maxKeylessRequestsPerSecondPerAddress: 1_000,
      maxImpressionsPerSecondPerAddress: 100,
      geoipDatabase: null,
      replayWindowMs: 300_000,
      auctionSamplesPerSecond: 1,
      auctionRecordsKept: 100_000,
      blockedCategories: [],
      drainMs: 0,
      startWaitMs: 60_000,
      exchangeDomain: 'localhost',
      ownDomain: null,
      tcfVendorId: null,
      truncateWithoutConsent: true,
      sellersContactEmail: 'admin@localhost',
      sellersContactAddress: null,
      sellersIdentifiers: [],
      prebidBidderCode: 'adexchange',
      logLevel: 'info',
    });
  });

  it('can each be given', () => {
    const secretKey = 'x'.repeat(32);
    const environment = {
      ...BOTH_REAL,
      ROLES: ' edge , actors',
      PORT: '1',
      EDGE_PORT: '65535',
      EDGE_WORKERS: '16',
      OPS_PORT: '0',
      OPS_HOST: '0.0.0.0',
      METRICS_NAMED_DSPS: '7',
      REVISION: '0123abc',
      REGION: 'nyc',
      DATA_DIR: '/var/lib/exchange',
      REDIS_URL_PREVIOUS: 'redis://a:1,redis://b:2\nredis://:secret@c:3',
      REDIS_WAIT_REPLICAS: '2',
      REDIS_MIN_REPLICAS: '1',
      REDIS_PREFIX: 'mine',
      EDGE_REDIS_URL: 'redis://edge.example:6379',
      REGION_REDIS_URL: 'redis://region.example:6379',
      FACTS_REDIS_URL: 'redis://facts.example:6379',
      MONGODB_WRITE_BATCH: '20',
      PARTITIONS: '256',
      MONGODB_SNAPSHOT_READS: 'secondary-preferred',
      PUBLIC_BASE_URL: 'https://exchange.example/',
      PUBLIC_EDGE_URL: 'https://edge.example',
      REGION_URLS: 'fra = https://fra.ads.example/, nyc=https://nyc.ads.example,',
      PUBLIC_CREATIVES_URL: 'https://creatives.example/',
      CORS_ORIGINS: 'https://app.example/, http://localhost:3000,',
      TRUST_PROXY_HOPS: '2',
      SESSION_LIFETIME_DAYS: '7',
      ANONYMOUS_REQUESTS_PER_MINUTE: '60',
      DASHBOARD: 'off',
      ACCESS_LOG: 'false',
      ADMIN_EMAIL: 'root@exchange.example',
      ADMIN_PASSWORD: 'twelve chars',
      BOOTSTRAP_API_KEY: 'pk_live_12345678',
      BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_12345678',
      SECRET_KEY: secretKey,
      SECRET_KEY_PREVIOUS: `${'y'.repeat(32)},${'z'.repeat(40)}`,
      ALLOW_PRIVATE_NETWORKS: 'true',
      BIDDER_HTTP_CLIENT: 'undici',
      HTTPS_CREATIVES_ONLY: 'false',
      CREATIVES_S3_BUCKET: 'creatives',
      CREATIVES_S3_ENDPOINT: 'https://s3.example/',
      CREATIVES_S3_REGION: 'eu-central-1',
      LOG_LEVEL_DATA_URL: 's3://log-level/of/ours/',
      LOG_LEVEL_DATA_S3_ENDPOINT: 'https://s3.example/',
      LOG_LEVEL_DATA_S3_REGION: 'eu-central-1',
      LOG_LEVEL_DATA_RETENTION_DAYS: '400',
      CREATIVE_REFRESH_HOURS: '1',
      TRACES_URL: 'http://collector:4318/v1/traces',
      TRACES_PER_MILLION: '5',
      CURRENCY_RATES_URL: 'file:///etc/exchange/rates.json',
      CURRENCY_RATES_REFRESH_MINUTES: '5',
      CURRENCY_RATES_MAX_AGE_DAYS: '2',
      CREATIVE_RESCAN_HOURS: '2',
      CREATIVE_RETENTION_DAYS: '30',
      CREATIVES_PER_DSP: '500',
      CREATIVE_RENDERER: '/usr/bin/chromium',
      CREATIVES_QUOTA_MIB: '5',
      CREATIVES_DISK_RESERVE_MIB: '0',
      LEDGER_RETENTION_DAYS: '62',
      ARCHIVE_DIR: '/srv/archive',
      RENDER_WINDOW_SECONDS: '60',
      PREBID_BIDDER_CODE: 'house',
      PREBID_CACHE_MIB: '8',
      MAX_AUCTIONS_IN_FLIGHT: '10',
      MAX_SOCKETS_PER_ADDRESS: '0',
      NEW_PUBLISHER_SHARE_PERCENT: '20',
      MAX_METRICS_SOCKETS: '20',
      METRICS_SOCKETS_PER_KEY: '2',
      BLOCKED_NETWORKS: '198.51.100.0/24, 2001:db8::/32',
      BLOCKED_NETWORKS_FILE: '/etc/exchange/networks.txt',
      MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '50',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
      MAX_KEYLESS_REQUESTS_PER_SECOND_PER_ADDRESS: '5',
      MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS: '7',
      GEOIP_DATABASE: '/srv/country.mmdb',
      REPLAY_WINDOW_SECONDS: '60',
      AUCTION_SAMPLES_PER_SECOND: '0',
      AUCTION_RECORDS_KEPT: '1000',
      BIDDER_CA_FILE: '/etc/exchange/authorities.pem',
      BIDDER_CERTIFICATE_FILE: '/etc/exchange/own.pem',
      BIDDER_CERTIFICATE_KEY: 'a key',
      BLOCKED_CATEGORIES: 'IAB7-39, iab9-9',
      DRAIN_SECONDS: '5',
      START_WAIT_SECONDS: '7',
      EXCHANGE_DOMAIN: 'Ads.Exchange.example',
      TCF_VENDOR_ID: '1234',
      TRUNCATE_WITHOUT_CONSENT: 'false',
      SELLERS_CONTACT_EMAIL: 'adops@exchange.example',
      SELLERS_CONTACT_ADDRESS: '1 High Street, London',
      SELLERS_IDENTIFIERS: 'TAG-ID=28cb65e5bbc0bd5f, DUNS = 123=4,',
      LOG_LEVEL: 'debug',
    };
    expect(readSettings(environment)).to.deep.equal({
      given: new Set(Object.keys(environment)),
      roles: new Set(['edge', 'actors']),
      port: 1,
      edgePort: 65_535,
      edgeWorkers: 16,
      metricsNamedDsps: 7,
      revision: '0123abc',
      opsPort: 0,
      opsHost: '0.0.0.0',
      region: 'nyc',
      dataDir: '/var/lib/exchange',
      redisUrl: BOTH_REAL.REDIS_URL,
      previousRedisUrls: ['redis://a:1,redis://b:2', 'redis://:secret@c:3'],
      redisWaitReplicas: 2,
      redisMinReplicas: 1,
      redisPrefix: 'mine',
      edgeRedisUrl: 'redis://edge.example:6379',
      regionRedisUrl: 'redis://region.example:6379',
      factsRedisUrl: 'redis://facts.example:6379',
      mongodbUrl: BOTH_REAL.MONGODB_URL,
      mongodbWriteBatch: 20,
      partitions: 256,
      mongodbSnapshotReads: 'secondary-preferred',
      publicBaseUrl: 'https://exchange.example',
      publicEdgeUrl: 'https://edge.example',
      regionUrls: [
        { code: 'fra', url: 'https://fra.ads.example' },
        { code: 'nyc', url: 'https://nyc.ads.example' },
      ],
      publicCreativesUrl: 'https://creatives.example',
      corsOrigins: ['https://app.example', 'http://localhost:3000'],
      trustProxyHops: 2,
      sessionLifetimeDays: 7,
      anonymousRequestsPerMinute: 60,
      dashboard: false,
      accessLog: false,
      adminEmail: 'root@exchange.example',
      adminPassword: 'twelve chars',
      bootstrapApiKey: 'pk_live_12345678',
      bootstrapSandboxApiKey: 'pk_sandbox_12345678',
      secretKey,
      previousSecretKeys: ['y'.repeat(32), 'z'.repeat(40)],
      allowPrivateNetworks: true,
      bidderHttpClient: 'undici',
      bidderCaFile: '/etc/exchange/authorities.pem',
      bidderCertificateFile: '/etc/exchange/own.pem',
      bidderCertificateKey: 'a key',
      httpsCreativesOnly: false,
      creativesDir: '/var/lib/exchange/creatives',
      creativesS3: { bucket: 'creatives', endpoint: 'https://s3.example', region: 'eu-central-1' },
      logLevelData: {
        ...{ bucket: 'log-level', prefix: 'of/ours', endpoint: 'https://s3.example', region: 'eu-central-1' },
      },
      logLevelDataRetentionDays: 400,
      creativeRefreshMs: 3_600_000,
      tracesUrl: 'http://collector:4318/v1/traces',
      tracesPerMillion: 5,
      currencyRatesUrl: 'file:///etc/exchange/rates.json',
      currencyRatesRefreshMs: 5 * 60_000,
      currencyRatesMaxAgeMs: 2 * 86_400_000,
      creativeRescanMs: 2 * 3_600_000,
      creativeRetentionDays: 30,
      creativesPerDsp: 500,
      creativeRenderer: '/usr/bin/chromium',
      creativesQuotaBytes: 5 * 1024 ** 2,
      creativesDiskReserveBytes: 0,
      ledgerRetentionDays: 62,
      archiveDir: '/srv/archive',
      renderWindowMs: 60_000,
      prebidBidderCode: 'house',
      prebidCacheBytes: 8_388_608,
      maxAuctionsInFlight: 10,
      newPublisherSharePercent: 20,
      maxSocketsPerAddress: 0,
      maxMetricsSockets: 20,
      maxMetricsSocketsPerCredential: 2,
      blockedNetworks: ['198.51.100.0/24', '2001:db8::/32'].map((network) => parseNetwork(network)),
      blockedNetworksFile: '/etc/exchange/networks.txt',
      maxRequestsPerSecondPerAddress: 50,
      maxRequestsPerSecondPerDevice: 0,
      maxKeylessRequestsPerSecondPerAddress: 5,
      maxImpressionsPerSecondPerAddress: 7,
      geoipDatabase: '/srv/country.mmdb',
      replayWindowMs: 60_000,
      auctionSamplesPerSecond: 0,
      auctionRecordsKept: 1_000,
      blockedCategories: ['IAB7-39', 'IAB9-9'],
      drainMs: 5_000,
      startWaitMs: 7_000,
      exchangeDomain: 'ads.exchange.example',
      ownDomain: 'ads.exchange.example',
      tcfVendorId: 1234,
      truncateWithoutConsent: false,
      sellersContactEmail: 'adops@exchange.example',
      sellersContactAddress: '1 High Street, London',
      sellersIdentifiers: [
        { name: 'TAG-ID', value: '28cb65e5bbc0bd5f' },
        { name: 'DUNS', value: '123=4' },
      ],
      logLevel: 'debug',
    });
  });

  it('take what is blank for unset', () => {
    const names = ['ROLES', 'PORT', 'REGION', 'DATA_DIR', 'REDIS_URL', 'MONGODB_URL', 'SECRET_KEY', 'LOG_LEVEL'];
    expect(readSettings(Object.fromEntries(names.map((name) => [name, '  '])))).to.deep.equal(readSettings({}));
  });

  it('derive the public URLs from the ports', () => {
    const { publicBaseUrl, publicEdgeUrl } = readSettings({ PORT: '3000', EDGE_PORT: '3001' });
    expect([publicBaseUrl, publicEdgeUrl]).to.deep.equal(['http://localhost:3000', 'http://localhost:3001']);
  });

  it('derive the public URL of an edge from that of its region', () => {
    const REGION_URLS = 'fra=https://fra.ads.example,lon=https://ads.example/lon/';
    expect(readSettings({ REGION_URLS, REGION: 'lon' }).publicEdgeUrl).to.equal('https://ads.example/lon');
    const stated = readSettings({ REGION_URLS, PUBLIC_EDGE_URL: 'https://ads.example' });
    expect(stated.publicEdgeUrl).to.equal('https://ads.example');
    expect(readSettings({ REGION: 'lon' }).regionUrls).to.deep.equal([{ code: 'lon', url: 'http://localhost:8081' }]);
  });

  it('refuse regions that are unknown, have no address, are named twice, or are not that of the edge', () => {
    const problem = (REGION_URLS: string, more = {}) => problems({ REGION_URLS, ...more }).join(' | ');
    expect(problem('fra=https://a.example,par=https://b.example')).to.match(/REGION_URLS must be a list.*"par=https/);
    expect(problem('fra')).to.match(/REGION_URLS must be a list of region=URL, of the regions fra, nyc, lon; "fra"/);
    for (const url of [
      'a.example',
      'ftp://a.example',
      'https://a.example?b=c',
      'https://a.example?',
      'https://user:word@a.example',
    ]) {
      expect(problem(`fra=${url}`), url)
        .to.match(/REGION_URLS must give fra a URL beginning with http/)
        .and.not.include('word');
    }
    expect(problem('fra=https://a.example,fra=https://b.example')).to.match(/once; "fra=https:\/\/b\.example"/);
    expect(problem('fra=https://a.example,nyc=https://a.example/')).to.match(/once; "nyc=https:\/\/a\.example\/"/);
    expect(problem('fra=https://a.example', { REGION: 'nyc' })).to.match(/REGION_URLS must name nyc too/);
    const ofManagement = { ...BOTH_REAL, SECRET_KEY: 'x'.repeat(32), ROLES: 'management', REGION: 'nyc' };
    expect(problem('fra=https://a.example', ofManagement)).to.equal('');
  });

  it('take a bucket with Amazon’s own endpoint, and no endpoint without a bucket', () => {
    expect(readSettings({ CREATIVES_S3_BUCKET: 'creatives' }).creativesS3).to.deep.equal({
      bucket: 'creatives',
      endpoint: null,
      region: 'us-east-1',
    });
    expect(problems({ CREATIVES_S3_ENDPOINT: 'https://s3.example' })).to.have.length(1);
    expect(problems({ CREATIVES_S3_BUCKET: 'Not a bucket' })).to.have.length(1);
    expect(readSettings({ CREATIVES_DIR: '/shared/creatives' }).creativesDir).to.equal('/shared/creatives');
    expect(problems({ CREATIVES_DIR: '/shared', CREATIVES_S3_BUCKET: 'creatives' })).to.have.length(1);
  });

  it('take a folder or a bucket for log-level data, and an endpoint for a bucket alone', () => {
    const place = (url: string) => readSettings({ LOG_LEVEL_DATA_URL: url }).logLevelData;
    expect(place('file:///srv/log%20level')).to.deep.equal({ folder: '/srv/log level' });
    const amazon = { endpoint: null, region: 'us-east-1' };
    expect(place('s3://bucket')).to.deep.equal({ bucket: 'bucket', prefix: '', ...amazon });
    expect(place('s3://bucket/a/b//')).to.deep.equal({ bucket: 'bucket', prefix: 'a/b', ...amazon });
    for (const wrong of ['/srv/log', 'file://host/srv', 's3://Not a bucket/x', 's3:///x', 's3://bucket?x', 'ftp://a/b'])
      expect(problems({ LOG_LEVEL_DATA_URL: wrong }), wrong).to.have.length(1);
    const endpoint = { LOG_LEVEL_DATA_S3_ENDPOINT: 'https://s3.example' };
    expect(problems(endpoint)).to.have.length(1);
    expect(problems({ ...endpoint, LOG_LEVEL_DATA_URL: 'file:///srv' })).to.have.length(1);
  });

  it('name the exchange by the host of its public URL', () => {
    const given = { PUBLIC_BASE_URL: 'https://exchange.example:8443/' };
    expect(readSettings(given).exchangeDomain).to.equal('exchange.example');
  });

  it('require https of creatives with a MongoDB, unless configured otherwise', () => {
    expect(readSettings(BOTH_REAL).httpsCreativesOnly).to.equal(true);
    expect(readSettings({ ...BOTH_REAL, HTTPS_CREATIVES_ONLY: 'false' }).httpsCreativesOnly).to.equal(false);
    expect(readSettings({ HTTPS_CREATIVES_ONLY: 'true' }).httpsCreativesOnly).to.equal(true);
  });

  it('keep bidders out of private networks with a MongoDB, unless configured otherwise', () => {
    expect(readSettings(BOTH_REAL).allowPrivateNetworks).to.equal(false);
    expect(readSettings({ ...BOTH_REAL, ALLOW_PRIVATE_NETWORKS: 'true' }).allowPrivateNetworks).to.equal(true);
    expect(readSettings({ ALLOW_PRIVATE_NETWORKS: 'false' }).allowPrivateNetworks).to.equal(false);
  });

  it('keep bidders out of private networks as soon as a public URL is no local name, unless configured otherwise', () => {
    for (const name of ['PUBLIC_BASE_URL', 'PUBLIC_EDGE_URL', 'PUBLIC_CREATIVES_URL']) {
      const allowed = (url: string, more = {}) => readSettings({ [name]: url, ...more }).allowPrivateNetworks;
      for (const local of [
        'http://localhost:1',
        'http://ads.localhost',
        'http://127.0.0.1',
        'http://[::1]',
        'http://10.1.2.3',
      ])
        expect(allowed(local), local).to.equal(true);
      for (const exposed of ['https://ads.example', 'http://203.0.112.9', 'http://localhost.example', 'http://edge'])
        expect(allowed(exposed), exposed).to.equal(false);
      expect(allowed('https://ads.example', { ALLOW_PRIVATE_NETWORKS: 'true' })).to.equal(true);
    }
  });

  const wrong: readonly [name: string, values: readonly string[], problem: string][] = [
    ['PORT', ['-1', '65536', '80.5', 'http', 'Infinity'], 'a whole number from 0 to 65535'],
    ['EDGE_PORT', ['65536'], 'a whole number from 0 to 65535'],
    ['OPS_HOST', ['ops.example', '*'], 'an IP address such as 127.0.0.1'],
    ['OPS_PORT', ['x'], 'a whole number from 0 to 65535'],
    ['PARTITIONS', ['0', '257', 'NaN'], 'a whole number from 1 to 256'],
    ['MONGODB_WRITE_BATCH', ['0'], 'a whole number from 1 to 100000'],
    ['LEDGER_RETENTION_DAYS', ['61', '36501', 'x'], 'a whole number from 62 to 36500'],
    ['RENDER_WINDOW_SECONDS', ['0', '86401'], 'a whole number from 1 to 86400'],
    ['MAX_AUCTIONS_IN_FLIGHT', ['0', '1000001'], 'a whole number from 1 to 1000000'],
    ['NEW_PUBLISHER_SHARE_PERCENT', ['0', '101'], 'a whole number from 1 to 100'],
    ['MAX_SOCKETS_PER_ADDRESS', ['-1', '1000001'], 'a whole number from 0 to 1000000'],
    ['MAX_METRICS_SOCKETS', ['0', '1000001'], 'a whole number from 1 to 1000000'],
    ['METRICS_SOCKETS_PER_KEY', ['0', '1000001'], 'a whole number from 1 to 1000000'],
    ['BLOCKED_NETWORKS', ['example.com', '10.0.0.0/33', '10.0.0.0/8;11.0.0.0/8'], 'networks such as 203.0.113.0/24'],
    ['BLOCKED_CATEGORIES', ['IAB', 'cars', '596'], 'IAB content categories such as IAB7-39'],
    ['MAX_REQUESTS_PER_SECOND_PER_ADDRESS', ['-1', '1000001'], 'a whole number from 0 to 1000000'],
    ['MAX_REQUESTS_PER_SECOND_PER_DEVICE', ['x'], 'a whole number from 0 to 1000000'],
    ['MAX_IMPRESSIONS_PER_SECOND_PER_ADDRESS', ['-1', 'x'], 'a whole number from 0 to 1000000'],
    ['REPLAY_WINDOW_SECONDS', ['86401', '5m'], 'a whole number from 0 to 86400'],
    ['AUCTION_SAMPLES_PER_SECOND', ['-1', '1001'], 'a whole number from 0 to 1000'],
    ['AUCTION_RECORDS_KEPT', ['99', '10000001'], 'a whole number from 100 to 10000000'],
    [
      'CORS_ORIGINS',
      ['*', 'app.example', 'https://app.example/path', 'null'],
      'origins such as https://app.example.com',
    ],
    ['TRUST_PROXY_HOPS', ['-1', '11', 'true'], 'a whole number from 0 to 10'],
    ['SESSION_LIFETIME_DAYS', ['0', '366', '1.5'], 'a whole number from 1 to 365'],
    ['ANONYMOUS_REQUESTS_PER_MINUTE', ['0', '1000001'], 'a whole number from 1 to 1000000'],
    ['ACCESS_LOG', ['no'], 'one of true, false'],
    ['DASHBOARD', ['true'], 'one of on, off'],
    ['REGION', ['FRA', 'ams'], 'one of fra, nyc, lon'],
    ['LOG_LEVEL', ['verbose'], 'one of fatal, error, warn, info, debug, trace, silent'],
    ['ALLOW_PRIVATE_NETWORKS', ['yes', '1'], 'one of true, false'],
    ['HTTPS_CREATIVES_ONLY', ['on'], 'one of true, false'],
    [
      'REDIS_URL',
      ['redis', 'http://redis:6379', 'redis://a:6379,b:x', 'redis+sentinel://a:26379'],
      'a URL beginning with redis:// or rediss:// or redis+sentinel:// or rediss+sentinel://',
    ],
    [
      'MONGODB_URL',
      ['mongo:27017', 'mongodb://', 'mongodb://a:1,,b:2/exchange', 'mongodb://a:1,b:x/exchange'],
      'a URL beginning with mongodb:// or mongodb+srv://',
    ],
    ['PUBLIC_BASE_URL', ['exchange.example', ...NO_PLAIN_URLS], 'without a query, fragment or credentials'],
    ['PUBLIC_EDGE_URL', NO_PLAIN_URLS, 'a URL beginning with http:// or https://, without a query'],
    ['PUBLIC_CREATIVES_URL', NO_PLAIN_URLS, 'a URL beginning with http:// or https://, without a query'],
    ['TRACES_URL', ['collector:4318', 'ftp://collector'], 'a URL beginning with http:// or https://'],
    [
      'BOOTSTRAP_API_KEY',
      ['pk_live_1234567', 'pk_sandbox_12345678', 'pk_live_with a space', `pk_live_${'x'.repeat(201)}`],
      'begin with pk_live_',
    ],
    ['EXCHANGE_DOMAIN', ['exchange', 'https://exchange.example', 'exchange.example:8080', '-x.example'], 'be a domain'],
    ['TCF_VENDOR_ID', ['0', '65536', 'x'], 'a whole number from 1 to 65535'],
    ['TRUNCATE_WITHOUT_CONSENT', ['no'], 'one of true, false'],
    ['ADMIN_PASSWORD', ['eleven char', 'x'.repeat(257)], 'have 12 to 256 characters'],
    ['BOOTSTRAP_SANDBOX_API_KEY', ['pk_live_12345678'], 'begin with pk_sandbox_'],
    ['SECRET_KEY', ['x'.repeat(31)], 'have at least 32 characters'],
    ['SECRET_KEY_PREVIOUS', ['x'.repeat(31), `${'x'.repeat(32)},short`], 'have at least 32 characters'],
  ];
  for (const [name, values, problem] of wrong) {
    for (const value of values) {
      it(`refuse ${name}=${value}`, () => {
        const found = problems({ [name]: value });
        expect(found).to.have.length(1);
        expect(found[0])
          .to.match(new RegExp(`^${name} must `))
          .and.contain(problem);
      });
    }
  }

  it('name the reason why there cannot be more partitions', () => {
    expect(problems({ PARTITIONS: '257' })[0]).to.contain('ledgers are not ready for more');
    expect(problems({ PARTITIONS: '0' })[0]).not.to.contain('ledgers');
  });

  it('name everything that is wrong at once', () => {
    const all = Object.fromEntries(wrong.map(([name, values]) => [name, values[0]!]));
    const found = problems({ ...all, ROLES: 'broker' });
    for (const name of [...Object.keys(all), 'ROLES']) {
      expect(
        found.filter((line) => new RegExp(`^${name}\\b`).test(line)),
        name,
      ).to.have.length(1);
    }
    expect(found).to.have.length(wrong.length + 1);
  });

  describe('that are secrets', () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'settings-'));
    });
    after(() => rm(folder, { recursive: true, force: true }));
    const fileWith = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };

    it('are read from the files that their _FILE forms name', async () => {
      const settings = readSettings({
        SECRET_KEY_FILE: await fileWith('secret', `${'s'.repeat(32)}\n`),
        SECRET_KEY_PREVIOUS_FILE: await fileWith('previous', `${'p'.repeat(32)}\n${'q'.repeat(32)}\n`),
        ADMIN_PASSWORD_FILE: await fileWith('password', 'twelve chars\n'),
        BOOTSTRAP_API_KEY_FILE: await fileWith('live', 'pk_live_12345678'),
        BOOTSTRAP_SANDBOX_API_KEY_FILE: await fileWith('sandbox', 'pk_sandbox_12345678'),
        REDIS_URL_FILE: await fileWith('redis', 'redis://:hush@redis:6379'),
        EDGE_REDIS_URL_FILE: await fileWith('edge-redis', 'redis://:hush@edge:6379'),
        FACTS_REDIS_URL_FILE: await fileWith('facts-redis', 'redis://:hush@facts:6379'),
        MONGODB_URL_FILE: await fileWith('mongodb', 'mongodb://user:hush@mongo:27017/exchange'),
      });
      expect(settings).to.include({
        secretKey: 's'.repeat(32),
        adminPassword: 'twelve chars',
        bootstrapApiKey: 'pk_live_12345678',
        bootstrapSandboxApiKey: 'pk_sandbox_12345678',
        redisUrl: 'redis://:hush@redis:6379',
        edgeRedisUrl: 'redis://:hush@edge:6379',
        factsRedisUrl: 'redis://:hush@facts:6379',
        mongodbUrl: 'mongodb://user:hush@mongo:27017/exchange',
      });
      expect(settings.previousSecretKeys).to.deep.equal(['p'.repeat(32), 'q'.repeat(32)]);
    });

    it('are refused when a file is missing or empty, or when both forms are given', async () => {
      expect(problems({ SECRET_KEY_FILE: join(folder, 'nothing') })[0]).to.match(/^SECRET_KEY_FILE: .* cannot be read/);
      expect(problems({ SECRET_KEY_FILE: await fileWith('empty', ' \n') })[0]).to.match(/ is empty$/);
      const both = { SECRET_KEY: 'x'.repeat(32), SECRET_KEY_FILE: await fileWith('both', 'y'.repeat(32)) };
      expect(problems(both)).to.deep.equal(['SECRET_KEY and SECRET_KEY_FILE exclude each other']);
    });
  });

  it('take a certificate for bidders with its key, or neither', () => {
    const one = ['BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY belong together: set both or neither'];
    expect(problems({ BIDDER_CERTIFICATE_FILE: '/etc/own.pem' })).to.deep.equal(one);
    expect(problems({ BIDDER_CERTIFICATE_KEY: 'hush' })).to.deep.equal(one);
  });

  it('show no secret in what they say', () => {
    const environment = {
      REDIS_URL: 'redis://user:hush@host:port',
      MONGODB_URL: 'user:hush@mongo',
      SECRET_KEY: 'hush',
      BOOTSTRAP_API_KEY: 'hush',
    };
    expect(problems(environment)).to.have.length(4);
    expect(problems(environment).join()).not.to.contain('hush');
  });

  it('take the addresses of clusters and replica sets', () => {
    const redis = [
      'redis://a:6379,b:6379',
      'rediss://user:pass@10.0.0.1:6379,rediss://10.0.0.2:6379/0',
      'redis://[::1]:6379',
      'redis://a:6379?cluster=true',
      'redis+sentinel://a:26379,b,[::1]:26380/main',
      'rediss+sentinel://user:p@s#s@10.0.0.1/main/1?sentinel_password=pass',
    ];
    const mongodb = [
      'mongodb://10.0.0.1:27017,10.0.0.2:27017/exchange?replicaSet=rs0',
      'mongodb://user:p%2Css@a,b,c/exchange?replicaSet=rs0',
      'mongodb+srv://cluster.example/exchange',
    ];
    for (const url of redis) expect(readSettings({ REDIS_URL: url }).redisUrl).to.equal(url);
    for (const url of mongodb) expect(readSettings({ MONGODB_URL: url }).mongodbUrl).to.equal(url);
  });

  it('refuse replicas without a Redis, and more that stay than there are', () => {
    expect(problems({ REDIS_WAIT_REPLICAS: '1' })).to.deep.equal([
      'REDIS_WAIT_REPLICAS is for an exchange with a REDIS_URL, which is not set',
    ]);
    expect(problems({ ...BOTH_REAL, REDIS_WAIT_REPLICAS: '1', REDIS_MIN_REPLICAS: '2' })).to.deep.equal([
      'REDIS_MIN_REPLICAS is 2, of the 1 that REDIS_WAIT_REPLICAS says',
    ]);
  });

  it('refuse an address and identifiers for sellers.json that are none', () => {
    expect(problems({ SELLERS_CONTACT_EMAIL: 'the office' })).to.deep.equal([
      'SELLERS_CONTACT_EMAIL must be an e-mail address, not "the office"',
    ]);
    expect(problems({ SELLERS_IDENTIFIERS: 'TAG-ID=1,DUNS,=2' })).to.deep.equal([
      'SELLERS_IDENTIFIERS must be name=value, separated by commas; "DUNS" is not',
      'SELLERS_IDENTIFIERS must be name=value, separated by commas; "=2" is not',
    ]);
  });

  it('refuse two listeners on one port, but not a port that this process does not open', () => {
    expect(problems({ PORT: '8081' })).to.deep.equal(['EDGE_PORT and PORT must differ: both are 8081']);
    expect(problems({ PORT: '9090' })).to.deep.equal(['PORT and OPS_PORT must differ: both are 9090']);
    expect(problems({ PORT: '0', EDGE_PORT: '0', OPS_PORT: '0' })).to.deep.equal([]);
    expect(problems({ ...BOTH_REAL, ROLES: 'edge', PORT: '8081' })).to.deep.equal([]);
  });

  describe('ROLES', () => {
    const roles = (value: string) => [...readSettings({ ...BOTH_REAL, ROLES: value }).roles].sort();

    it('are all of them, or those that are named', () => {
      const all = ['actors', 'edge', 'management', 'scheduler'];
      expect(roles('all')).to.deep.equal(all);
      expect(roles('edge,all')).to.deep.equal(all);
      expect(roles('scheduler,edge,edge')).to.deep.equal(['edge', 'scheduler']);
    });

    it('must be known, each one', () => {
      expect(problems({ ROLES: 'edge,,broker' })).to.deep.equal([
        'ROLES: "" is none of all, management, edge, actors, scheduler',
        'ROLES: "broker" is none of all, management, edge, actors, scheduler',
      ]);
      expect(problems({ ROLES: 'all,broker' })).to.have.length(1);
    });

    it('can be divided only between processes that share log and store', () => {
      const divided = ['ROLES can be divided only when both REDIS_URL and MONGODB_URL are set'];
      const { REDIS_URL, MONGODB_URL } = BOTH_REAL;
      const undivided: Record<string, string>[] = [{}, { REDIS_URL }, { MONGODB_URL }];
      for (const environment of undivided) {
        const found = problems({ ...environment, ROLES: 'edge' });
        expect(found.map((line) => line.split(':')[0])).to.deep.equal(divided);
        expect(problems({ ...environment, ROLES: 'management,edge,actors,scheduler' })).to.deep.equal([]);
      }
      expect(problems({ ...BOTH_REAL, ROLES: 'edge' })).to.deep.equal([]);
    });

    it('have several edges only with that role, and between processes that share log and store', () => {
      const several = { EDGE_WORKERS: '2' };
      for (const environment of [several, { ...several, REDIS_URL: BOTH_REAL.REDIS_URL }]) {
        const found = problems(environment);
        expect(found, found.join()).to.have.length(1);
        expect(found[0]).to.match(/^EDGE_WORKERS above 1 needs both REDIS_URL and MONGODB_URL/);
      }
      expect(problems({ ...BOTH_REAL, ...several })).to.deep.equal([]);
      const without = problems({ ...BOTH_REAL, ...several, ROLES: 'actors' });
      expect(without).to.deep.equal(['EDGE_WORKERS above 1 is for a process with the role `edge`']);
    });
  });

  it('know the version of the program', async () => {
    expect(await readVersion()).to.match(/^\d+\.\d+\.\d+$/);
  });

  it('take names of other programs for no misspelt ones, and names that are nearly ours for what they are', () => {
    const others = { APP_PORT: '3000', WS_PORT: '3001', APP_HOST: 'web', META_DIR: '/var/meta' };
    expect(problems(others)).to.deep.equal([]);
    expect(problems({ OPS_PROT: '9091', PS_HOST: '0.0.0.0', DATADIR: '/data' })).to.deep.equal([
      'OPS_PROT is not a setting: OPS_PORT is meant, or unset it',
      'PS_HOST is not a setting: OPS_HOST is meant, or unset it',
      'DATADIR is not a setting: DATA_DIR is meant, or unset it',
    ]);
  });
});
