import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ImpressionCaller } from '#edge/impressions/impression-caller';
import { impressionPartition } from '#edge/impressions/impression-entry';
import { newTrackingId } from '#edge/tracking/tracking-id';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { IngestHarness } from '#test/edge/impressions/ingest-harness';
import { aSale } from '#test/edge/tracking/a-sale';
import { eventually } from '#test/support/eventually';
import { fastClock } from '#test/support/fast-clock';

const NOBODY: ImpressionCaller = {
  address: '',
  userAgent: '',
  deviceAddress: null,
  deviceUserAgent: null,
  header: () => null,
};

describe('GET /track/impression', () => {
  let folder: string;
  let embedded: Embedded;
  let edge: IngestHarness;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'impressions-'));
    embedded = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    edge = await IngestHarness.start(embedded.log.log, 0, fastClock(50));
  });

  afterEach(async () => {
    await edge.close();
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function expectPixel(response: Response): Promise<void> {
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('image/gif');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const body = Buffer.from(await response.arrayBuffer());
    expect(body.length).to.equal(43);
    expect(body.subarray(0, 6).toString('latin1')).to.equal('GIF89a');
    expect(body.readUInt16LE(6)).to.equal(1);
    expect(body.readUInt16LE(8)).to.equal(1);
  }

  it('answers the 43-byte GIF once the impression is in the log, with all that billing needs', async () => {
    const soldAtMs = Date.now() - 1_000;
    const path = edge.pixel({
      ...{ partnerId: 'partner-1', campaignId: 'campaign-1', sandbox: true },
      issuedAtMs: soldAtMs,
    });
    await expectPixel(await edge.call(path));
    const [impression, ...more] = await edge.logged();
    expect(more).to.be.empty;
    const { id, ...rest } = impression!;
    expect(path).to.contain(id);
    expect(rest).to.deep.equal({
      auction: 'auction-1',
      publisher: 'publisher-1',
      partner: 'partner-1',
      dsp: 'dsp-1',
      campaign: 'campaign-1',
      account: 'account-1',
      soldAtMs,
      crid: 'crid-1',
      priceCpmMicros: 2_500_000,
      feePpm: 150_000,
      region: 'fra',
      sandbox: true,
    });
  });

  it('names the sandbox generations of both sources in what the log gets, of sandbox impressions alone', async () => {
    edge.generations = { publisher: 3, dsp: 1 };
    await expectPixel(await edge.call(edge.pixel({ sandbox: true })));
    await expectPixel(await edge.call(edge.pixel()));
    edge.generations = { publisher: 0, dsp: 2 };
    await expectPixel(await edge.call(edge.pixel({ sandbox: true })));
    const named = (await edge.logged()).map(({ sandbox, publisherGeneration, dspGeneration }) =>
      JSON.stringify({ sandbox, publisherGeneration, dspGeneration }),
    );
    expect(named).to.have.members([
      '{"sandbox":true,"publisherGeneration":3,"dspGeneration":1}',
      '{}',
      '{"sandbox":true,"dspGeneration":2}',
    ]);
  });

  it('bills a repeated call once, also when both come at once', async () => {
    const path = edge.pixel({ billingNoticeUrl: 'https://dsp.test/burl' });
    await Promise.all(Array.from({ length: 20 }, async () => expectPixel(await edge.call(path))));
    await expectPixel(await edge.call(path));
    expect(await edge.logged()).to.have.length(1);
    expect(edge.billed).to.deep.equal(['https://dsp.test/burl']);
    expect(await edge.outcomes()).to.deep.equal({ billed: 1, repeated: 20 });
  });

  it('answers the same GIF to what is forged, altered or expired, bills nothing and counts it', async () => {
    const sold = edge.pixel();
    await expectPixel(await edge.call('/track/impression'));
    await expectPixel(await edge.call('/track/impression?id=1&pub=publisher-1&dsp=dsp-1&price=2500000'));
    await expectPixel(await edge.call(sold.replace('price=2500000', 'price=9500000')));
    await expectPixel(await edge.call(edge.pixel({ issuedAtMs: Date.now() - 3_600_000 })));
    expect(await edge.logged()).to.be.empty;
    expect(await edge.outcomes()).to.deep.equal({ forged: 2, altered: 1, expired: 1 });
  });

  it('answers the same GIF to a test’s ad, however often, bills nothing, sends no billing notice and counts it', async () => {
    const path = edge.pixel({ test: true, campaignId: 'campaign-1', billingNoticeUrl: 'https://dsp.test/burl' });
    edge.verdict = () => 'bot-user-agent';
    for (let times = 0; times < 3; times++) await expectPixel(await edge.call(path));
    expect(await edge.logged()).to.be.empty;
    expect([...edge.billed, ...edge.viewed, ...edge.rendered]).to.be.empty;
    expect(await edge.outcomes()).to.deep.equal({ test: 3 });
  });

  it('sends the win notice that its URL names, once, when the impression is billed and not before', async () => {
    const path = edge.pixel({ winNoticeUrl: 'https://dsp.test/nurl?p=2.5&x=%26' });
    await edge.call(path.replace('nurl', 'other'));
    await edge.call(edge.pixel({ winNoticeUrl: 'https://dsp.test/late', issuedAtMs: Date.now() - 3_600_000 }));
    expect(edge.won).to.be.empty;
    for (let times = 0; times < 2; times++) await expectPixel(await edge.call(path));
    expect(edge.won).to.deep.equal(['https://dsp.test/nurl?p=2.5&x=%26']);
    expect(await edge.outcomes()).to.deep.equal({ altered: 1, expired: 1, billed: 1, repeated: 1 });
  });

  it('sends the billing notice with the time of the impression', async () => {
    const before = Date.now();
    await edge.call(edge.pixel({ billingNoticeUrl: 'https://dsp.test/burl?at=%24%7BAUCTION_IMP_TS%7D' }));
    const at = Number(new URL(edge.billed[0]!).searchParams.get('at'));
    expect(at).to.be.within(before, Date.now());
  });

  it('tells once of a campaign’s impression, with the device that a capped one was sold to', async () => {
    const capped = { deviceKey: 'device-1', windowHours: 12 };
    const sold = { campaignId: 'campaign-1', dspId: 'dsp-2', priceCpmMicros: 3_000_000, capped };
    const issuedAtMs = Date.now() - 1_000;
    const path = edge.pixel({ ...sold, issuedAtMs });
    for (const each of [path, path, edge.pixel(), edge.pixel({ ...sold, issuedAtMs: 0 })]) await edge.call(each);
    expect(edge.viewed).to.have.length(1);
    const [{ viewing, shownAtMs }] = edge.viewed as [(typeof edge.viewed)[0]];
    expect(viewing).to.deep.include({ campaignId: 'campaign-1', dspId: 'dsp-2', priceNanos: 3_000_000, capped });
    expect(viewing.soldAtMs).to.equal(issuedAtMs);
    expect(shownAtMs).to.be.within(issuedAtMs + 1_000, Date.now());
  });

  it('takes the fee of the moment of the impression', async () => {
    edge.fees.set('publisher-1', 0);
    await edge.call(edge.pixel());
    edge.fees.set('publisher-1', 200_000);
    await edge.call(edge.pixel());
    expect((await edge.logged()).map(({ feePpm }) => feePpm).sort()).to.deep.equal([0, 200_000]);
  });

  it('answers plain calls, which pass Koa by, as it does all others', async () => {
    const named = { 'X-Request-Id': 'caller-7' };
    // A script's call is for CORS to look at, so it is no plain one.
    const [plain, scripts] = [named, { ...named, Origin: 'https://games.example' }];
    const headers: [string, string][][] = [];
    for (const sent of [plain, scripts]) {
      const response = await edge.call(edge.pixel(), 'GET', sent);
      await expectPixel(response.clone());
      headers.push([...response.headers].filter(([name]) => name !== 'date'));
    }
    expect(Object.fromEntries(headers[0]!)).to.include({ 'x-request-id': 'caller-7', 'content-length': '43' });
    expect(headers[0]).to.deep.equal(headers[1]);
    const unnamed = await edge.call(edge.pixel());
    expect(unnamed.headers.get('x-request-id')).to.match(/^[\w-]{22}$/);
    expect(await edge.outcomes()).to.deep.equal({ billed: 3 });
  });

  it('refuses with 503 when it does not know the fee', async () => {
    edge.fees.set('publisher-1', null);
    expect((await edge.call(edge.pixel())).status).to.equal(503);
    expect(await edge.logged()).to.be.empty;
  });

  it('answers 500 for what went wrong in here, and goes on', async () => {
    const { fees } = edge;
    const has = fees.has.bind(fees);
    fees.has = () => {
      throw new Error('a fault of this release');
    };
    expect((await edge.call(edge.pixel())).status).to.equal(500);
    fees.has = has;
    await expectPixel(await edge.call(edge.pixel()));
  });

  it('bills by GET alone', async () => {
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await edge.call(edge.pixel(), method);
      expect(response.status, method).to.equal(405);
      expect(response.headers.get('allow'), method).to.equal('GET');
    }
    expect(await edge.logged()).to.be.empty;
  });

  it('appends those that wait for the same partition together', async () => {
    let release = () => {};
    edge.log.held = new Promise((resolve) => {
      release = resolve;
    });
    const calls = Array.from({ length: 200 }, () => edge.call(edge.pixel()));
    await eventually('all impressions wait', () => edge.ingest.waiting === 200);
    const sent = edge.log.onceCalls.length;
    expect(sent).to.be.at.most(4 * edge.log.partitions);
    release();
    for (const response of await Promise.all(calls)) await expectPixel(response);
    const logged = await edge.logged();
    expect(new Set(logged.map(({ id }) => id)).size).to.equal(200);
    // Those that had to wait went together, one call for each partition.
    expect(edge.log.onceCalls.length).to.be.at.most(sent + edge.log.partitions);
  });

  it('keeps room for the other partitions while one does not answer', async () => {
    const share = 20_000 / edge.log.partitions;
    let release = () => {};
    edge.log.held = new Promise((resolve) => {
      release = resolve;
    });
    edge.log.heldPartition = 0;
    const next = (ofTheHeld: boolean): Promise<string> => {
      for (;;) {
        const trackingId = newTrackingId();
        const { url } = edge.mint.mintTracking(aSale(), trackingId);
        const isHeld = impressionPartition(trackingId, edge.log.partitions) === 0;
        if (isHeld === ofTheHeld) return edge.ingest.take(url.slice(url.indexOf('?') + 1), NOBODY);
      }
    };
    const waiting = Array.from({ length: share }, () => next(true));
    await eventually('all of its share to wait', () => edge.ingest.waiting === share);
    expect(await Promise.all([next(true), next(false), next(true), next(false)])).to.deep.equal([
      'spooled',
      'billed',
      'spooled',
      'billed',
    ]);
    release();
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set(['billed']));
  });

  describe('while the log is away', () => {
    it('spools, answers 200, and bills when the log is back', async () => {
      edge.log.line = 'cut';
      const paths = Array.from({ length: 10 }, () =>
        edge.pixel({ billingNoticeUrl: 'https://dsp.test/burl', winNoticeUrl: 'https://dsp.test/nurl' }),
      );
      for (const path of [...paths, paths[0]!]) await expectPixel(await edge.call(path));
      expect(await edge.logged()).to.be.empty;
      expect([...edge.billed, ...edge.won]).to.be.empty;
      edge.log.line = 'open';
      await eventually('the spool to be replayed', async () => (await edge.logged()).length === 10);
      await eventually('the spool to be empty', async () => (await readdir(edge.spoolFolder)).length === 0);
      expect([edge.billed.length, edge.won.length]).to.deep.equal([10, 10]);
      expect(await edge.outcomes()).to.deep.equal({ spooled: 11, 'replayed-billed': 10, 'replayed-repeated': 1 });
      await expectPixel(await edge.call(paths[3]!));
      expect(await edge.logged()).to.have.length(10);
    });

    it('spools what is for the partitions that are away, and takes in the others', async () => {
      for (let partition = 0; partition < edge.log.partitions; partition += 2) edge.log.away.add(partition);
      const paths = Array.from({ length: 60 }, () => edge.pixel());
      const callAll = () => Promise.all(paths.map(async (path) => expectPixel(await edge.call(path))));
      await callAll();
      const taken = (await edge.logged()).length;
      expect(taken).to.be.within(10, 50);
      expect(await edge.outcomes()).to.deep.equal({ billed: taken, spooled: 60 - taken });
      // Those that answer are not held up by what the spool holds for the others, nor is the spool replayed for them.
      const sent = edge.log.onceCalls.length;
      await callAll();
      const calls = edge.log.onceCalls.slice(sent);
      expect(new Set(calls.map(({ partition }) => partition % 2))).to.deep.equal(new Set([1]));
      edge.log.away.clear();
      await eventually('the spool to be empty', async () => (await readdir(edge.spoolFolder)).length === 0);
      expect(await edge.logged()).to.have.length(60);
      expect((await edge.outcomes())['replayed-billed']).to.equal(60 - taken);
    });

    it('replays a file for the partitions that are back, and keeps it for those that are not', async () => {
      edge.log.line = 'cut';
      await Promise.all(Array.from({ length: 60 }, async () => expectPixel(await edge.call(edge.pixel()))));
      for (let partition = 0; partition < edge.log.partitions; partition += 2) edge.log.away.add(partition);
      edge.log.line = 'open';
      const isBack = async () => {
        const { spooled = 0, 'replayed-billed': billed = 0 } = await edge.outcomes();
        return spooled === 60 && billed >= 10;
      };
      await eventually('some to be billed', isBack);
      expect((await edge.logged()).length).to.be.within(10, 50);
      expect(await readdir(edge.spoolFolder)).not.to.be.empty;
      await edge.stopEdge();
      edge.log.away.clear();
      await edge.startEdge();
      await eventually('the spool to be empty', async () => (await readdir(edge.spoolFolder)).length === 0);
      expect(await edge.logged()).to.have.length(60);
      expect((await edge.outcomes())['replayed-billed']).to.equal(60);
    });

    it('takes what was sold for rendered once, when it is billed, however often it is called for meanwhile', async () => {
      const before = edge.pixel({ issuedAtMs: Date.now() - 1 });
      await edge.call(before);
      expect(edge.rendered).to.have.length(1);
      edge.log.line = 'cut';
      const soldAtMs = Date.now();
      const path = edge.pixel({ campaignId: 'campaign-1', issuedAtMs: soldAtMs, priceCpmMicros: 2_000_000 });
      for (const called of [path, before, path, path, before]) await expectPixel(await edge.call(called));
      expect(edge.rendered).to.have.length(1);
      edge.log.line = 'open';
      await eventually('the replay', async () => (await edge.outcomes())['replayed-repeated'] === 4);
      const { publisherId, dspId, sandbox } = edge.rendered[0]!;
      expect(edge.rendered.slice(1)).to.deep.equal([
        { publisherId, dspId, campaignId: 'campaign-1', priceNanos: 2_000_000, soldAtMs, sandbox },
      ]);
    });

    it('bills once what had arrived though its answer was lost', async () => {
      edge.log.line = 'answers-lost';
      await expectPixel(await edge.call(edge.pixel()));
      edge.log.line = 'open';
      await eventually('the replay', async () => (await edge.outcomes())['replayed-repeated'] === 1);
      expect(await edge.logged()).to.have.length(1);
    });

    it('tells of a campaign’s impression when it is billed after all, with the time at which it was shown', async () => {
      edge.log.line = 'cut';
      await edge.call(edge.pixel({ campaignId: 'campaign-1', capped: { deviceKey: 'device-1', windowHours: 12 } }));
      const calledAtMs = Date.now();
      expect(edge.viewed).to.deep.equal([]);
      edge.log.line = 'open';
      const [{ viewing, shownAtMs }] = await eventually('the impression to be billed', () =>
        edge.viewed.length > 0 ? (edge.viewed as [(typeof edge.viewed)[0]]) : null,
      );
      expect(viewing.capped).to.deep.equal({ deviceKey: 'device-1', windowHours: 12 });
      expect(shownAtMs).to.be.at.most(calledAtMs);
    });

    it('keeps what it spooled over a restart of the edge', async () => {
      edge.log.line = 'cut';
      await expectPixel(await edge.call(edge.pixel()));
      await edge.stopEdge();
      edge.log.line = 'open';
      await edge.startEdge();
      await eventually('the spool to be replayed', async () => (await edge.logged()).length === 1);
    });

    it('judges expiry when the call comes, not when it is replayed', async () => {
      edge.log.line = 'cut';
      const windowEndsAtMs = Date.now() + 3_000;
      await expectPixel(await edge.call(edge.pixel({ issuedAtMs: windowEndsAtMs - 3_600_000 })));
      await expectPixel(await edge.call(edge.pixel({ issuedAtMs: Date.now() - 3_600_000 })));
      await eventually('the window to have passed', () => Date.now() > windowEndsAtMs);
      edge.log.line = 'open';
      await eventually('the spool to be replayed', async () => (await edge.outcomes())['replayed-billed'] === 1);
      expect(await edge.logged()).to.have.length(1);
      expect(await edge.outcomes()).to.include({ spooled: 1, expired: 1 });
    });

    it('answers 503 when the spool fails too, and recovers', async () => {
      edge.log.line = 'cut';
      await writeFile(edge.spoolFolder, 'in the way');
      const path = edge.pixel();
      expect((await edge.call(path)).status).to.equal(503);
      expect(await edge.outcomes()).to.deep.equal({ refused: 1 });
      await rm(edge.spoolFolder);
      edge.log.line = 'open';
      await eventually('the log to be used again', async () => {
        await expectPixel(await edge.call(path));
        return (await edge.logged()).length === 1;
      });
    });
  });
});
