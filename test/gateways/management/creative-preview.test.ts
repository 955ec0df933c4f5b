import { expect } from 'chai';
import type { Creative } from '#exchange/strategy/document/creative';
import { type CreativeOrigin, file, startCreativeOrigin } from '../../support/creative-origin.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { JPEG_1200_627 } from '../../support/sample-media.ts';
import { errorOf, type ManagementClient, managementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const HOSTILE = '<script>window.hit = 1</script>"\'';
const HOSTED = /^http:\/\/[^/]+\/creative\/[0-9a-f]{64}$/;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/previews of creatives on ${pair}`, () => {
    let running: RunningManagement;
    let origin: CreativeOrigin;
    let own: AccountClients;
    let api: ManagementClient;
    let dspId: string;
    let names = 0;

    before(async function () {
      origin = await startCreativeOrigin();
      running = await startManagement(this, pair);
      own = await running.newAccount();
      api = own.api;
      dspId = (await api.post('/api/demand/sources', { name: 'Delegate', mode: 'delegate' })).body.id;
    });
    after(async () => {
      await running?.close();
      await origin?.close();
    });

    const create = async (creative: Creative): Promise<string> => {
      const answer = await api.post('/api/campaigns', {
        dsp_id: dspId,
        campaign_id: `c${++names}`,
        campaign_name: 'C',
        bidding: { base_cpm: 2 },
        creative,
      });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const path = (id: string, creativeId: string) =>
      `/api/campaigns/${id}/creatives/${encodeURIComponent(creativeId)}/preview`;
    const documentOf = async (id: string, creativeId: string, headers = {}) => {
      const response = await fetch(running.baseUrl + path(id, creativeId), {
        headers: { 'X-API-Key': own.liveKey, Accept: 'text/html', ...headers },
      });
      return { headers: response.headers, status: response.status, text: await response.text() };
    };

    it('show a banner, an audio ad with its companion and a native ad, with the files that the exchange hosts', async () => {
      const image = origin.url('/b.png');
      const audio = origin.url('/a.mp3');
      const main = origin.url('/m.jpg');
      origin.answer('/m.jpg', file(JPEG_1200_627, 'image/jpeg'));
      const banner = await create({ creative_id: 'banner 1/2', image_url: image, landing_url: 'https://l.example/' });
      const { body } = await api.get(path(banner, 'banner 1/2'));
      expect(body).to.deep.include({ format: 'banner', ready: true, width: 300, height: 250, html: null });
      expect(body.landing_url).to.equal('https://l.example/');
      expect(body.files).to.have.lengthOf(1);
      expect(body.files[0].url).to.match(HOSTED);
      const heard = (await api.get(path(await create({ creative_id: 'a', audio_url: audio, image_url: image }), 'a')))
        .body;
      expect(heard).to.deep.include({ format: 'audio', ready: true });
      expect(heard.files[0].mime_type).to.equal('audio/mpeg');
      expect(heard.companion.url).to.equal(body.files[0].url);
      expect(heard.duration_ms).to.be.within(400, 700);
      const native = { title: 'Walk', body: 'Far', cta: 'Go', sponsored: 'Boots', image_url: main };
      const parts = (
        await api.get(path(await create({ creative_id: 'n', native, landing_url: 'https://l.example/' }), 'n'))
      ).body;
      expect(parts.native).to.deep.include({ title: 'Walk', body: 'Far', cta: 'Go', sponsored: 'Boots', icon: null });
      expect(parts.native.image).to.deep.include({ width: 1200, height: 627, mime_type: 'image/jpeg' });
    });

    it('show a video with all its renditions, and call none of its trackers', async () => {
      const trackers = [origin.url('/own-imp')];
      const vast = origin.url('/v.xml');
      const id = await create({ creative_id: 'v', vast_url: vast, impression_trackers: trackers });
      const { body } = await api.get(path(id, 'v'));
      expect(body).to.deep.include({ format: 'video', ready: true });
      expect(body.files).to.have.lengthOf(1);
      expect(body.files[0].url).to.match(HOSTED);
      const { text } = await documentOf(id, 'v');
      expect(text).to.include(`<source src="${body.files[0].url}" type="video/mp4">`);
      // Of the document that the origin answers by default, and of the campaign.
      expect(text).to.not.include(origin.origin);
    });

    it('are documents that reach nothing of their viewer, and text in them is text', async () => {
      const id = await create({
        creative_id: HOSTILE,
        native: { title: HOSTILE, body: HOSTILE, cta: HOSTILE, sponsored: HOSTILE },
        landing_url: 'https://l.example/',
      });
      const { headers, text } = await documentOf(id, HOSTILE);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).to.equal('sandbox allow-scripts');
      expect(headers.get('x-frame-options')).to.equal('SAMEORIGIN');
      expect(headers.get('vary')).to.include('Accept');
      expect(text).to.include('&lt;script&gt;window.hit = 1&lt;/script&gt;');
      expect(text).to.not.include('<script>');
    });

    it("give an HTML5 ad's markup as it is, in a document of its own origin alone", async () => {
      const html = '<!doctype html><script>top.document.title = 1</script><b>ad</b>';
      const id = await create({ creative_id: 'h', html, width: 300, height: 250 });
      const { headers, text } = await documentOf(id, 'h');
      expect(text).to.equal(html);
      expect(headers.get('content-security-policy')).to.equal('sandbox allow-scripts');
      expect((await api.get(path(id, 'h'))).body).to.deep.include({ html, format: 'html5', width: 300, files: [] });
    });

    it('are there for those who see the campaign, and for creatives that it has', async () => {
      const id = await create({ creative_id: 'h', html: '<b>ad</b>', width: 300, height: 250 });
      expect(errorOf(await api.get(path(id, 'other')))).to.equal('404 NOT_FOUND');
      expect(errorOf(await api.get(path(dspId, 'h')))).to.equal('404 NOT_FOUND');
      expect(errorOf(await own.sandboxApi.get(path(id, 'h')))).to.equal('404 NOT_FOUND');
      const stranger = (await running.newAccount()).api;
      expect(errorOf(await stranger.get(path(id, 'h')))).to.equal('404 NOT_FOUND');
      expect(errorOf(await managementClient(running.baseUrl).get(path(id, 'h')))).to.equal('401 UNAUTHORIZED');
      const refused = await documentOf(id, 'other');
      expect(refused.status).to.equal(404);
      expect(refused.headers.get('content-type')).to.include('application/json');
    });
  });
