import { expect } from 'chai';
import { startWarnings } from '../../composition/start-warnings.ts';
import { readSettings } from '../../settings.ts';

const MONGODB = { REDIS_URL: 'redis://redis:6379', MONGODB_URL: 'mongodb://mongo:27017/exchange' };
const APART = {
  ...MONGODB,
  PUBLIC_BASE_URL: 'https://api.example',
  PUBLIC_EDGE_URL: 'https://ads.example',
  PUBLIC_CREATIVES_URL: 'https://creatives.example',
};

describe('composition/start-warnings', () => {
  const warnings = (environment: Record<string, string>) => startWarnings(readSettings(environment));

  it('has nothing to say of a first start on one machine', () => expect(warnings({})).to.deep.equal([]));

  it('has nothing to say where API, edge and creatives have host names of their own', () =>
    expect(warnings(APART)).to.deep.equal([]));

  it('names the setting that parts hosts which share a name, whatever their ports', () => {
    const edge = warnings({ ...APART, PUBLIC_EDGE_URL: 'https://api.example:8443' });
    expect(edge).to.have.length(1);
    expect(edge[0]).to.contain('Ads share the host name api.example').and.contain('set PUBLIC_EDGE_URL');
    for (const shared of ['https://api.example:1', 'https://ads.example:1']) {
      const [creatives, ...more] = warnings({ ...APART, PUBLIC_CREATIVES_URL: shared });
      expect(creatives).to.contain('set PUBLIC_CREATIVES_URL');
      expect(more).to.deep.equal([]);
    }
  });

  it('names a region whose edges share a name with the API or with creatives', () => {
    const regions = (nyc: string) => warnings({ ...APART, REGION_URLS: `fra=https://ads.example,nyc=${nyc}` });
    expect(regions('https://nyc.example')).to.deep.equal([]);
    expect(regions('https://api.example:8443')[0]).to.contain('Ads share the host name api.example');
    expect(regions('https://creatives.example:8443')[0]).to.contain('Creatives share the host name creatives.example');
  });

  it('warns on every store that no user can log in where ads have the origin of the API', () => {
    const shared = { PUBLIC_BASE_URL: 'https://x.example/api', PUBLIC_EDGE_URL: 'https://x.example/ads' };
    expect(warnings(shared)).to.have.length(1);
    expect(warnings(shared)[0]).to.match(/^Browsers cannot log in at https:\/\/x\.example,/);
  });

  it('warns of private networks that a public exchange was configured to reach', () => {
    const [warning, ...more] = warnings({ ...APART, ALLOW_PRIVATE_NETWORKS: 'true' });
    expect(warning).to.contain('https://api.example').and.contain('ALLOW_PRIVATE_NETWORKS=false');
    expect(more).to.deep.equal([]);
    expect(warnings({ ALLOW_PRIVATE_NETWORKS: 'true' })).to.deep.equal([]);
  });
});
