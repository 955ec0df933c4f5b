import { VASTParser } from '@dailymotion/vast-client';
import { DOMParser } from '@xmldom/xmldom';
import { expect } from 'chai';
import { pino } from 'pino';
import { type Exchange, startExchange } from '../../composition/start-exchange.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { steadyDeadlines } from '../support/steady-clock.ts';
import { ExchangeUnderTest } from './against-exchange.ts';
import type { Market } from './market.ts';

const VAST = `<VAST version="4.1" xmlns="http://www.iab.com/VAST"><Ad id="1"><InLine><AdSystem>a</AdSystem>
  <Impression>https://dsp.test/seen</Impression><ViewableImpression id="own"><Viewable>https://dsp.test/viewable</Viewable></ViewableImpression>
  <AdServingId>s</AdServingId><AdTitle>t</AdTitle><Creatives><Creative><UniversalAdId idRegistry="r">c</UniversalAdId><Linear><Duration>00:00:15</Duration>
  <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://dsp.test/v.mp4</MediaFile></MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad></VAST>`;

/** What a player finds in the document, and calls. */
interface Played {
  readonly impression: string;
  readonly viewable: string;
  readonly notViewable: string;
  readonly undetermined: string;
}

/** What `GET /api/scout/viewability` promises where several edges receive the same report, and one restarts. */
describe('viewability over two edges of a region', () => {
  const exchange = new ExchangeUnderTest();
  let settings: Settings;
  let second: Exchange;
  let edges: readonly [string, string];
  let market: Market;

  before(async function () {
    const unlimited = { MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0' };
    await exchange.start(this, 'redis-mongodb', unlimited, steadyDeadlines);
    const { environment, edgeUrl } = exchange.running;
    const edgePort = await freePort();
    settings = readSettings({
      ...environment,
      ROLES: 'edge',
      EDGE_PORT: String(edgePort),
      OPS_PORT: String(await freePort()),
      DATA_DIR: `${environment.DATA_DIR}/second`,
    });
    second = await startExchange(settings, pino({ level: 'silent' }));
    edges = [edgeUrl, `http://127.0.0.1:${edgePort}`];
    market = await exchange.market({ bidders: [{ script: bids({ price: 2, adm: VAST }) }] });
  });
  after(async () => {
    await second?.stop();
    await exchange.stop();
  });

  async function play(): Promise<Played> {
    const page = encodeURIComponent('https://site.example/');
    const query = `site_id=${market.publisherId}&w=640&h=360&page=${page}`;
    const { status, body } = await callJson('GET', `${edges[0]}/vast?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    const { ads } = await new VASTParser().parseVAST(new DOMParser().parseFromString(body, 'text/xml'));
    const [ad] = ads;
    const [views] = ad.viewableImpression;
    expect(views.viewable).to.have.length(2).and.to.include('https://dsp.test/viewable');
    const ours = (urls: readonly string[]) => urls.find((url) => url.startsWith(edges[0]))!;
    return {
      impression: ours(ad.impressionURLTemplates.map(({ url }: { url: string }) => url)),
      viewable: ours(views.viewable),
      notViewable: ours(views.notViewable),
      undetermined: ours(views.viewUndetermined),
    };
  }

  /** As players call trackers, at one of the edges, whichever the load balancer says. */
  async function call(url: string, edge: string): Promise<void> {
    const { status } = await fetch(url.replace(edges[0], edge));
    expect(status).to.equal(url.includes('/track/impression?') ? 200 : 204);
  }

  async function read() {
    const { body } = await exchange.get(`/api/scout/viewability?publisher_id=${market.publisherId}&period=1h`);
    const { impressions, measurable, viewable } = body;
    expect(viewable, 'never more seen than measurable').to.be.at.most(measurable);
    expect(measurable, 'never more measurable than billed').to.be.at.most(impressions);
    for (const row of body.dsps) expect(row).to.include({ impressions, measurable, viewable });
    return { impressions, measurable, viewable };
  }

  const until = (what: string, figures: object) =>
    eventually(what, async () => JSON.stringify(await read()) === JSON.stringify(figures), { timeoutMs: 60_000 });

  it('count once each, for what is billed', async () => {
    const played: Played[] = [];
    for (let count = 0; count < 40; count++) played.push(await play());
    const [seen, unseen, untold, unbilled] = [0, 10, 20, 30].map((from) => played.slice(from, from + 10));
    const told = [
      ...seen!.map(({ viewable }) => viewable),
      ...unseen!.map(({ notViewable }) => notViewable),
      ...untold!.map(({ undetermined }) => undetermined),
      ...unbilled!.map(({ viewable }) => viewable),
    ];
    const tellAll = () => Promise.all(told.flatMap((url) => edges.map((edge) => call(url, edge))));

    // Some reports come before the impression, some after; all of them at both edges.
    const late = seen!.slice(0, 5);
    for (const [index, { impression }] of [...seen!.slice(5), ...unseen!, ...untold!].entries()) {
      await call(impression, edges[index % 2]!);
    }
    await tellAll();
    for (const { impression } of late) await call(impression, edges[1]);
    await until('all to be counted', { impressions: 30, measurable: 20, viewable: 10 });

    // A process that has just started remembers nothing.
    await second.stop();
    second = await startExchange(settings, pino({ level: 'silent' }));
    await tellAll();
    const last = await play();
    for (const edge of edges) await call(last.impression, edge);
    await call(last.viewable, edges[1]);
    await until('the last of all to be counted', { impressions: 31, measurable: 21, viewable: 11 });
    expect(await read()).to.deep.equal({ impressions: 31, measurable: 21, viewable: 11 });
  });
});
