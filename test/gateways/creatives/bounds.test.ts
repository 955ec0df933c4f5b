import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { CreativeStorageUnavailable } from '#gateways/creatives/storage/creative-storage';
import { createManagement } from '#gateways/management/management';
import { type CreativeOrigin, file, inlineVast, startCreativeOrigin, vast } from '../../support/creative-origin.ts';
import { eventually } from '../../support/eventually.ts';
import { H264_AAC_MP4 } from '../../support/sample-media.ts';
import { errorAbout, errorOf, type ManagementClient, managementClient } from '../management/management-client.ts';
import { type RunningManagement, startManagement } from '../management/running-management.ts';

describe('gateways/creatives: bounds', () => {
  let running: RunningManagement;
  let origin: CreativeOrigin;
  let dspId: string;

  before(async function () {
    const creativeSettings = {
      maxDocumentBytes: 5_000,
      maxImageBytes: 2_000,
      maxMediaBytes: 30_000,
      maxAdBytes: 60_000,
      maxContentCharacters: 1_800,
      transferMs: 300,
    };
    running = await startManagement(this, 'embedded', { creativeSettings });
    origin = await startCreativeOrigin();
    dspId = (await running.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body.id;
  });
  after(async () => {
    await running.close();
    await origin.close();
  });

  const save = (creative: object, api: ManagementClient = running.api) =>
    api.post('/api/campaigns', {
      dsp_id: dspId,
      campaign_name: 'A campaign',
      bidding: { base_cpm: 1 },
      creative: { creative_id: 'c', ...creative },
    });

  it('refuse what is longer than it may be, and keep nothing of it', async () => {
    origin.answer('/long.xml', vast(`${inlineVast({ mediaUrl: origin.url('/spot.mp4') })}${' '.repeat(5_000)}`));
    origin.answer('/heavy', file(Buffer.alloc(31_000), 'video/mp4'));
    origin.answer('/heavy.xml', vast(inlineVast({ mediaUrl: origin.url('/heavy') })));
    origin.answer('/poster', file(Buffer.alloc(2_001), 'image/png'));
    expect(errorOf(await save({ vast_url: origin.url('/long.xml') }))).to.equal(
      '400 VALIDATION_ERROR creative.vast_url',
    );
    expect(errorOf(await save({ vast_url: origin.url('/heavy.xml') }))).to.equal(
      '400 VALIDATION_ERROR creative.vast_url',
    );
    expect(errorOf(await save({ image_url: origin.url('/poster') }))).to.equal(
      '400 VALIDATION_ERROR creative.image_url',
    );
    expect(await readdir(join(running.folder, 'incoming'))).to.deep.equal([]);
  });

  it('refuse an ad whose files are more in all than they may be', async () => {
    const files = [0, 1, 2].map((at) => {
      origin.answer(`/rendition${at}`, file(Buffer.concat([H264_AAC_MP4, Buffer.alloc(at)]), 'video/mp4'));
      return `<MediaFile delivery="progressive" type="video/mp4" width="640" height="480">${origin.url(`/rendition${at}`)}</MediaFile>`;
    });
    const document = (some: string[]) =>
      vast(inlineVast({ mediaUrl: '' }).replace(/<MediaFile [\s\S]*<\/MediaFile>/, some.join('')));
    origin.answer('/three.xml', document(files));
    origin.answer('/two.xml', document(files.slice(1)));
    const refused = await save({ vast_url: origin.url('/three.xml') });
    expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
    expect(refused.body.error.message).to.contain('in all');
    expect((await save({ vast_url: origin.url('/two.xml') })).status).to.equal(201);
  });

  it('refuse what is more, with all else that a document names, than edges are to hold for it', async () => {
    const creatives = ['/m1.xml', '/m2.xml', '/m3.xml', '/m4.xml', '/m5.xml', '/m6.xml'].map((path) => ({
      creative_id: path,
      vast_url: origin.url(path),
    }));
    const saveAll = (some: readonly object[]) =>
      running.api.post('/api/campaigns', {
        dsp_id: dspId,
        campaign_name: 'Many',
        bidding: { base_cpm: 1 },
        creatives: some,
      });
    expect((await saveAll(creatives.slice(0, 2))).status).to.equal(201);
    const refused = await saveAll(creatives);
    expect(errorOf(refused)).to.match(/^400 VALIDATION_ERROR creatives\[[2-5]\]\.vast_url$/);
    expect(refused.body.error.message).to.contain('the documents of all ads');
    // What is there counts as well as what comes.
    expect(errorOf(await saveAll(creatives))).to.match(/^400 VALIDATION_ERROR creatives\[[2-5]\]\.vast_url$/);
  });

  it('fetch no more for an account in a day than it may have fetched', async function () {
    const frugal = await startManagement(this, 'embedded', {
      creativeSettings: { maxFileBytesPerDay: H264_AAC_MP4.length },
    });
    try {
      const { id } = (await frugal.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body;
      const saveOne = (path: string) =>
        frugal.api.post('/api/campaigns', {
          dsp_id: id,
          campaign_name: 'One',
          bidding: { base_cpm: 1 },
          creative: { creative_id: 'c', vast_url: origin.url(path) },
        });
      expect((await saveOne('/first.xml')).status).to.equal(201);
      const asked = origin.requestedPaths.length;
      const refused = await saveOne('/second.xml');
      expect(errorAbout(refused)).to.equal('502 BAD_GATEWAY creative.vast_url');
      expect(refused.body.error.message).to.contain('today');
      expect(origin.requestedPaths.length).to.equal(asked);
      // What is there already is nothing to fetch.
      expect((await saveOne('/first.xml')).status).to.equal(201);
    } finally {
      await frugal.close();
    }
  });

  it('count the files of a refused ad among what an account may have fetched', async function () {
    const frugal = await startManagement(this, 'embedded', {
      creativeSettings: { maxFileBytesPerDay: H264_AAC_MP4.length, loadMs: 10_000 },
    });
    try {
      const film = Buffer.concat([H264_AAC_MP4, Buffer.from('of a refused ad')]);
      const sha256 = createHash('sha256').update(film).digest('hex');
      origin.answer('/refused.mp4', file(film, 'video/mp4'));
      // Its companion is no image, and comes when its film is stored.
      origin.answer('/no-image.png', (request, response) => {
        void eventually('the film is stored', () => frugal.creatives.has(sha256)).then(() =>
          file(Buffer.from('no image'), 'image/png')(request, response),
        );
      });
      const companion = `<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">${origin.url('/no-image.png')}</StaticResource></Companion></CompanionAds></Creative>`;
      const ad = inlineVast({ mediaUrl: origin.url('/refused.mp4') });
      origin.answer('/refused.xml', vast(ad.replace('</Creatives>', `${companion}</Creatives>`)));
      const { id } = (await frugal.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body;
      const saveOne = (path: string) =>
        frugal.api.post('/api/campaigns', {
          dsp_id: id,
          campaign_name: 'Refused',
          bidding: { base_cpm: 1 },
          creative: { creative_id: 'c', vast_url: origin.url(path) },
        });
      const refused = await saveOne('/refused.xml');
      expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR creative.vast_url');
      expect(refused.body.error.message).to.contain('no image');
      expect((await saveOne('/refused.xml')).body.error.message).to.contain('today');
    } finally {
      await frugal.close();
    }
  });

  it('refuse an ad whose document is more than an edge is to hold', async function () {
    const wide = inlineVast({ mediaUrl: origin.url('/spot.mp4') }).replace(
      '</InLine>',
      `<Extensions><Extension type="x"><a>${'y'.repeat(200_000)}</a></Extension></Extensions></InLine>`,
    );
    origin.answer('/wide.xml', vast(wide));
    const roomy = await startManagement(this);
    try {
      const { id } = (await roomy.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body;
      const answer = await roomy.api.post('/api/campaigns', {
        dsp_id: id,
        campaign_name: 'Wide',
        bidding: { base_cpm: 1 },
        creative: { creative_id: 'c', vast_url: origin.url('/wide.xml') },
      });
      expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR creative.vast_url');
      expect(answer.body.error.message).to.contain('too large');
    } finally {
      await roomy.close();
    }
  });

  it('give up on a file that begins and does not end', async () => {
    origin.answer('/stalling', (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': H264_AAC_MP4.length });
      response.write(H264_AAC_MP4.subarray(0, 100));
    });
    origin.answer('/stalling.xml', vast(inlineVast({ mediaUrl: origin.url('/stalling') })));
    const failed = await save({ vast_url: origin.url('/stalling.xml') });
    expect(errorAbout(failed)).to.equal('502 BAD_GATEWAY creative.vast_url');
    expect(failed.body.error.message).to.contain('did not arrive within 0.3 s');
    expect(await readdir(join(running.folder, 'incoming'))).to.deep.equal([]);
  });

  it('keep private addresses out where they are not allowed', async function () {
    const guarded = await startManagement(this, 'embedded', { creativeSettings: { allowPrivateNetworks: false } });
    try {
      const { id } = (await guarded.api.post('/api/demand/sources', { name: 'Buyer', mode: 'delegate' })).body;
      for (const url of [origin.url('/spot.xml'), origin.urlAt('localhost', '/spot.xml')]) {
        const asked = origin.requestedPaths.length;
        const answer = await guarded.api.post('/api/campaigns', {
          dsp_id: id,
          campaign_name: 'Inside',
          bidding: { base_cpm: 1 },
          creative: { creative_id: 'c', vast_url: url },
        });
        expect(errorOf(answer), url).to.equal('400 VALIDATION_ERROR creative.vast_url');
        expect(origin.requestedPaths.length).to.equal(asked);
      }
    } finally {
      await guarded.close();
    }
  });

  it('answer 503 while files cannot be kept', async () => {
    const creatives = { take: () => Promise.reject(new CreativeStorageUnavailable('the disk is full')) };
    const management = createManagement({ ...running.parts, creatives });
    const port = await management.listen(0, '127.0.0.1');
    try {
      const api = managementClient(`http://127.0.0.1:${port}`, { 'X-API-Key': running.liveKey });
      expect(errorOf(await save({ vast_url: origin.url('/spot.xml') }, api))).to.equal('503 SERVICE_UNAVAILABLE');
    } finally {
      await management.close();
    }
  });
});
