import { expect } from 'chai';
import { type CreativeOrigin, noResponse, startCreativeOrigin } from '../../support/creative-origin.ts';
import { errorAbout } from '../management/management-client.ts';
import { type RunningManagement, startManagement } from '../management/running-management.ts';

const MANY = 400;
const SAVE_MS = 4_000;

describe('gateways/creatives: strategies of many campaigns', () => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let dspId: string;

  before(async function () {
    running = await startManagement(this, 'embedded', { creativeSettings: { saveMs: 30_000 } });
    origin = await startCreativeOrigin();
    dspId = (await running.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
  });
  after(async () => {
    await running.close();
    await origin.close();
  });

  const upload = (api: RunningManagement['api'], campaigns: readonly object[], id = dspId) =>
    api.put(`/api/demand/sources/${id}/strategy`, { version: '1.0', dsp_id: id, default_bid: 1, rules: [], campaigns });
  const campaign = (n: number, path: string) => ({
    campaign_id: `c${n}`,
    campaign_name: `Campaign ${n}`,
    creative: { creative_id: 'v', vast_url: origin.url(path) },
  });
  const documents = () => origin.requestedPaths.filter((path) => path.endsWith('.xml')).length;

  it('fetch each of their URLs once, and none that was fetched lately', async () => {
    const own = Array.from({ length: MANY }, (_, n) => campaign(n, `/${n}.xml`));
    expect((await upload(running.api, own)).status).to.equal(200);
    expect(documents()).to.equal(MANY);
    expect((await upload(running.api, own.slice(1))).status).to.equal(200);
    expect(documents()).to.equal(MANY);
  });

  it('are answered in time, with the names of what was not fetched', async function () {
    const hurried = await startManagement(this, 'embedded', {
      creativeSettings: { saveMs: SAVE_MS, loadMs: 500, loadsAtOnce: 4 },
    });
    try {
      const { id } = (await hurried.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body;
      for (let n = 0; n < 60; n++) origin.answer(`/silent/${n}`, noResponse());
      const silent = Array.from({ length: 60 }, (_, n) => campaign(n, `/silent/${n}`));
      const startedMs = performance.now();
      const failed = await upload(hurried.api, [campaign(99, '/good.xml'), ...silent], id);
      expect(performance.now() - startedMs).to.be.below(SAVE_MS + 3_000);
      expect(errorAbout(failed)).to.equal('502 BAD_GATEWAY campaigns[1].creative.vast_url');
      const { errors } = failed.body.error;
      expect(errors).to.have.length(60);
      expect(errors[0].message).to.contain('within 0.5 s');
      expect(errors[59].message).to.contain('of all that was to be fetched');
      // What was fetched stays, so that the next try goes on from there.
      const before = origin.requestedPaths.filter((path) => path === '/good.xml').length;
      expect((await upload(hurried.api, [campaign(99, '/good.xml')], id)).status).to.equal(200);
      expect(origin.requestedPaths.filter((path) => path === '/good.xml').length).to.equal(before);
    } finally {
      await hurried.close();
    }
  });
});
