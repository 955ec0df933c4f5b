import { expect } from 'chai';
import { readSettings } from '../../settings.ts';
import { problems } from './problems.ts';

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

describe('the settings, each by the form of its value', () => {
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

  it('refuse an address and identifiers for sellers.json that are none', () => {
    expect(problems({ SELLERS_CONTACT_EMAIL: 'the office' })).to.deep.equal([
      'SELLERS_CONTACT_EMAIL must be an e-mail address, not "the office"',
    ]);
    expect(problems({ SELLERS_IDENTIFIERS: 'TAG-ID=1,DUNS,=2' })).to.deep.equal([
      'SELLERS_IDENTIFIERS must be name=value, separated by commas; "DUNS" is not',
      'SELLERS_IDENTIFIERS must be name=value, separated by commas; "=2" is not',
    ]);
  });
});
