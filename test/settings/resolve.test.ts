import { expect } from 'chai';
import { readSettings } from '../../settings.ts';
import { BOTH_REAL, problems } from './problems.ts';

describe('the settings that depend on others', () => {
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

  it('take a certificate for bidders with its key, or neither', () => {
    const one = ['BIDDER_CERTIFICATE_FILE and BIDDER_CERTIFICATE_KEY belong together: set both or neither'];
    expect(problems({ BIDDER_CERTIFICATE_FILE: '/etc/own.pem' })).to.deep.equal(one);
    expect(problems({ BIDDER_CERTIFICATE_KEY: 'hush' })).to.deep.equal(one);
  });

  it('refuse replicas without a Redis, and more that stay than there are', () => {
    expect(problems({ REDIS_WAIT_REPLICAS: '1' })).to.deep.equal([
      'REDIS_WAIT_REPLICAS is for an exchange with a REDIS_URL, which is not set',
    ]);
    expect(problems({ ...BOTH_REAL, REDIS_WAIT_REPLICAS: '1', REDIS_MIN_REPLICAS: '2' })).to.deep.equal([
      'REDIS_MIN_REPLICAS is 2, of the 1 that REDIS_WAIT_REPLICAS says',
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
});
