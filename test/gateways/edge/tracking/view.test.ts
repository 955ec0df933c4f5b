import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Koa from 'koa';
import type { ViewedImpression } from '#actors/feed-page/view-row';
import { Facts } from '#edge/facts/facts';
import { impressionIdempotencyKey, impressionPartition } from '#edge/impressions/impression-entry';
import { TrackingMint } from '#edge/tracking/mint';
import type { Sale } from '#edge/tracking/sale';
import { TrackingVerifier } from '#edge/tracking/verify';
import { ViewabilityIngest } from '#edge/viewability/viewability-ingest';
import { answerErrors } from '#gateways/edge/http/errors-answered';
import { viewabilityHandler } from '#gateways/edge/tracking/view-handler';
import { SILENT } from '#runtime/node/logger';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { InterruptedLog } from '#test/edge/impressions/interrupted-log';
import { aSale, SECRET_KEY } from '#test/edge/tracking/a-sale';
import { MemoryReplica } from '#test/support/memory-replica';

const WINDOW_MS = 60_000;

describe('POST /track/view', () => {
  const mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: '' });
  const verifier = new TrackingVerifier({ secretKey: SECRET_KEY });
  let folder: string;
  let provider: Awaited<ReturnType<typeof openEmbedded>>;
  let log: InterruptedLog;
  let facts: Facts;
  let views: ViewabilityIngest;
  let server: Server;
  /** The outcome of the last report. */
  let outcome: ReturnType<ViewabilityIngest['take']>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'views-'));
    provider = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    log = new InterruptedLog(provider.log.log);
    facts = someFacts();
    views = anEdge(facts);
    const app = new Koa();
    app.use(answerErrors(systemRandom, SILENT));
    app.use(
      viewabilityHandler({
        take: (event, query) => {
          outcome = views.take(event, query);
          return outcome;
        },
      }),
    );
    server = createServer(app.callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await provider.close();
    await rm(folder, { recursive: true });
  });

  function someFacts(): Facts {
    const nobody = { tell: () => Promise.reject(new Error('not told')), ask: () => Promise.reject(new Error('no')) };
    return new Facts({ messenger: nobody, replica: new MemoryReplica(), clock: systemClock, region: 'fra' });
  }

  function anEdge(of: Facts): ViewabilityIngest {
    return new ViewabilityIngest({ log, verifier, facts: of, clock: systemClock, windowMs: WINDOW_MS });
  }

  const sold = (sale: Partial<Sale> = {}): string => mint.mintTracking(aSale(sale)).url.split('?')[1]!;

  /** As the pixel does, as far as it matters here. */
  async function bill(query: string): Promise<void> {
    const verified = verifier.verify('impression', query);
    if (!verified.ok) throw new Error(verified.reason);
    const name = impressionIdempotencyKey(verified.trackingId, verified.sale.issuedAtMs);
    const entry = { ...name, expiresAtMs: Date.now() + WINDOW_MS, payload: '{}' };
    const partition = impressionPartition(verified.trackingId, log.partitions);
    expect(await log.appendOnce(partition, [entry])).to.deep.equal(['appended']);
  }

  async function billed(sale: Partial<Sale> = {}): Promise<string> {
    const query = sold(sale);
    await bill(query);
    return query;
  }

  async function tell(event: string, query: string, method = 'POST'): Promise<number> {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/track/view?event=${event}&${query}`, { method });
    await response.text();
    await outcome;
    return response.status;
  }

  /** What was counted since the last time. */
  const ofPublisher = (of = facts) => Object.fromEntries(of.publisher('publisher-1', false).take().counts);
  const ofDsp = () => Object.fromEntries(facts.dsp('dsp-1', false).take().counts);
  const ofNobody = () => Object.fromEntries(facts.platform(false).take().counts);

  it('counts each event of an impression once, for the publisher and for the DSP', async () => {
    const query = await billed();
    for (const event of ['measurable', 'viewable', 'viewable']) expect(await tell(event, query)).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1, 'viewCalls/repeated': 1 });
    expect(ofDsp()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1 });
  });

  it('tells of each fact of a live impression once, where single views are wanted', async () => {
    const told: [string, ViewedImpression][] = [];
    const seen = (dspId: string, view: ViewedImpression) => told.push([dspId, view]);
    const options = { log, verifier, facts, clock: systemClock, windowMs: WINDOW_MS, seen };
    const [query, sandboxed] = [await billed({ campaignId: 'campaign-1' }), await billed({ sandbox: true })];
    for (const edge of [new ViewabilityIngest(options), new ViewabilityIngest(options)]) {
      for (const of of [query, sandboxed]) await edge.take('viewable', of);
    }
    expect(told.map(([dspId, { measure }]) => [dspId, measure])).to.deep.equal([
      ['dsp-1', 'measurable'],
      ['dsp-1', 'viewable'],
    ]);
    const verified = verifier.verify('impression', query);
    if (!verified.ok) throw new Error(verified.reason);
    const { sale, trackingId } = verified;
    expect(told[0]![1]).to.deep.equal({
      ...{ trackingId, measure: 'measurable', publisherId: 'publisher-1', campaignId: 'campaign-1', crid: sale.crid },
      ...{ region: sale.region, soldAtMs: sale.issuedAtMs },
    });
  });

  it('takes what was seen for measurable, too, however players tell it', async () => {
    const query = await billed();
    expect(await tell('viewable', query, 'GET')).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1 });
    await tell('measurable', query);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/repeated': 1 });
    await tell('not_viewable', await billed(), 'GET');
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1 });
    expect(await tell('viewable', await billed(), 'HEAD')).to.equal(405);
    expect(ofPublisher()).to.deep.equal({});
  });

  it('takes note of a player that cannot tell, and counts nothing', async () => {
    expect(await tell('undetermined', await billed(), 'GET')).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/noted': 1 });
    expect(ofDsp()).to.deep.equal({});
  });

  it('counts by the other side and by creative', async () => {
    await tell('viewable', await billed());
    await tell('measurable', await billed());
    const seen = { bids: 0, wins: 0, measurable: 2, viewable: 1 };
    expect([...facts.publisher('publisher-1', false).take().counterparties]).to.deep.equal([['dsp-1', seen]]);
    const { counterparties, creatives } = facts.dsp('dsp-1', false).take();
    expect([...counterparties]).to.deep.equal([['publisher-1', seen]]);
    expect([...creatives]).to.deep.equal([[aSale().crid, seen]]);
  });

  it('counts once, whichever edges receive it, and however often they start', async () => {
    const query = await billed();
    const others = Array.from({ length: 4 }, () => someFacts());
    const told = [facts, ...others].map((of) => anEdge(of).take('viewable', query));
    expect((await Promise.all(told)).sort()).to.deep.equal(['counted', ...Array(4).fill('repeated')]);
    expect(await anEdge(facts).take('measurable', query)).to.equal('repeated');
    const counted = [facts, ...others].map((of) => ofPublisher(of)['views/viewable'] ?? 0);
    expect(counted.reduce((sum, one) => sum + one)).to.equal(1);
  });

  it('waits for the impression, and counts when that is billed', async () => {
    const [query, never] = [sold(), sold()];
    for (const one of [query, never]) {
      await tell('viewable', one);
      expect(await outcome).to.equal('waiting');
    }
    expect([ofPublisher(), ofDsp()], 'nothing was shown').to.deep.equal([{}, {}]);
    await bill(query);
    await views.close();
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1, 'viewCalls/unbilled': 1 });
    expect(await views.take('viewable', query)).to.equal('repeated');
  });

  it('says of what it has waited for, too, that another edge had it before', async () => {
    const query = sold();
    expect(await views.take('viewable', query)).to.equal('waiting');
    await bill(query);
    expect(await anEdge(someFacts()).take('viewable', query)).to.equal('counted');
    await views.close();
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/repeated': 1 });
  });

  it('waits for the log, and counts once all the same', async () => {
    const query = await billed();
    log.line = 'cut';
    expect(await views.take('viewable', query)).to.equal('waiting');
    log.line = 'open';
    await views.close();
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1 });
    expect(await anEdge(facts).take('viewable', query)).to.equal('repeated');
  });

  it('counts nothing for what is heard', async () => {
    const query = await billed({ audio: true });
    for (const event of ['measurable', 'viewable', 'not_viewable']) expect(await tell(event, query)).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/audio': 3 });
    expect(await views.take('viewable', query.replace('&audio=true', '')), 'it cannot be hidden').to.equal('altered');
  });

  it('counts nothing for a token that was altered or made up, and says which', async () => {
    expect(await tell('viewable', (await billed()).replace('dsp=dsp-1', 'dsp=dsp-2'))).to.equal(204);
    expect(await tell('viewable', 'id=auction-1')).to.equal(204);
    expect(ofNobody()).to.deep.equal({ 'viewCalls/altered': 1, 'viewCalls/forged': 1 });
    expect([ofPublisher(), ofDsp()]).to.deep.equal([{}, {}]);
  });

  it('counts nothing past the window', async () => {
    expect(await tell('viewable', await billed({ issuedAtMs: Date.now() - WINDOW_MS }))).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/expired': 1 });
    expect(ofDsp()).to.deep.equal({});
  });

  it('refuses an event that there is not', async () => {
    expect(await tell('clicked', await billed())).to.equal(400);
    expect(ofPublisher()).to.deep.equal({});
  });
});
