import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CreativeOrigin, startCreativeOrigin, status } from '../../support/creative-origin.ts';
import { eventually } from '../../support/eventually.ts';
import {
  callJson,
  PROVIDER_PAIRS,
  realProviders,
  startTestExchange,
  type TestExchange,
} from '../../support/exchange.ts';
import { leaveBehind } from './first-release.ts';
import { type CampaignsLeft, campaignsLeft, secondRelease } from './second-release.ts';

const live = { 'X-API-Key': secondRelease.BOOTSTRAP_API_KEY };
const WITHIN = { timeoutMs: 25_000 };
const BANNER = { id: '1', banner: { w: 300, h: 250 } };
const VIDEO = { id: '1', video: { mimes: ['video/mp4'], protocols: [2, 3, 7], w: 640, h: 480 } };
const AUDIO = { id: '1', audio: { mimes: ['audio/mpeg'] } };

for (const pair of PROVIDER_PAIRS)
  describe(`an exchange on the campaigns that release 0.2.0 left behind, on ${pair}`, () => {
    let folder: string;
    let origin: CreativeOrigin;
    let left: CampaignsLeft;
    let running: TestExchange;

    before(async function () {
      this.timeout(40_000);
      folder = await mkdtemp(join(tmpdir(), 'exchange-upgrade-'));
      origin = await startCreativeOrigin();
      origin.answer('/gone.png', status(404));
      const environment = {
        ...secondRelease,
        DATA_DIR: join(folder, 'data'),
        ...(pair === 'embedded' ? {} : realProviders(this)),
      };
      left = campaignsLeft(origin.origin);
      await leaveBehind(left, environment);
      running = await startTestExchange(this, pair, environment);
    });
    after(async () => {
      await running?.stop();
      await origin?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const sold = async (imp: object) => {
      const request = { id: crypto.randomUUID(), imp: [imp], site: { id: left.ids.site } };
      const { status: answered, body } = await callJson('POST', `${running.edgeUrl}/rtb`, request);
      return answered === 200 ? body.seatbid[0].bid[0] : null;
    };
    const wins = (crid: string, imp: object) =>
      eventually(
        `${crid} to win`,
        async () => {
          const bid = await sold(imp);
          return bid?.crid === crid ? bid : null;
        },
        WITHIN,
      );

    it('fetches what the others are made of, and bids with it, though nobody has saved them again', async () => {
      expect((await wins('image-1', BANNER)).adm).to.contain('/creative/');
      expect((await wins('tag-1', VIDEO)).adm).to.contain('/creative/');
      expect((await wins('api-1', AUDIO)).adm).to.contain('/creative/');
      expect(origin.asked.filter((path) => path === '/banner.png')).to.have.length(1);
    }).timeout(60_000);

    it('does not bid with what leads to nothing, until it does', async () => {
      await eventually('that it was asked for', async () => origin.asked.includes('/gone.png'), WITHIN);
      // Of the highest priority and price.
      expect((await sold(BANNER)).crid).to.equal('image-1');
      origin.answer('/gone.png', (_request, response) => response.writeHead(302, { location: '/back.png' }).end());
      const get = await running.call('GET', `/api/demand/sources/${left.ids.delegate}/strategy`, undefined, live);
      const saved = await running.call('PUT', `/api/demand/sources/${left.ids.delegate}/strategy`, get.body, live);
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
      await wins('broken-1', BANNER);
    }).timeout(60_000);

    it('knows its demand sources as sources without a sync', async () => {
      for (const id of [left.ids.delegate, left.ids.bidder]) {
        const { status: answered, body } = await running.call('GET', `/api/demand/sources/${id}`, undefined, live);
        expect(answered).to.equal(200);
        expect(body).to.include({ user_sync_url: null, user_sync_type: 'redirect', tcf_vendor_id: null });
      }
      const change = { user_sync_url: 'https://buyer.example/sync?r={redirect}' };
      const changed = await running.call('PUT', `/api/demand/sources/${left.ids.bidder}`, change, live);
      expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
    });
  });
