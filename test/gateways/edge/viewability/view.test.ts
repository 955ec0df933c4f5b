import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { Facts } from '../../../../gateways/edge/facts.ts';
import { errorsAnswered } from '../../../../gateways/edge/http/errors-answered.ts';
import { TrackingMint } from '../../../../gateways/edge/tracking/mint.ts';
import { TrackingVerifier } from '../../../../gateways/edge/tracking/verify.ts';
import { viewHandler } from '../../../../gateways/edge/viewability/view-handler.ts';
import { ViewIntake } from '../../../../gateways/edge/viewability/view-intake.ts';
import { SILENT } from '../../../../runtime/node/logger.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../../../../runtime/providers/system/system-random.ts';
import { MemoryReplica } from '../../../support/memory-replica.ts';
import { aSale, SECRET_KEY } from '../tracking/a-sale.ts';

const WINDOW_MS = 60_000;

describe('POST /track/view', () => {
  const mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: '' });
  let facts: Facts;
  let server: Server;

  beforeEach(async () => {
    const nobody = { tell: () => Promise.reject(new Error('not told')), ask: () => Promise.reject(new Error('no')) };
    facts = new Facts({ messenger: nobody, replica: new MemoryReplica(), clock: systemClock, region: 'fra' });
    const verifier = new TrackingVerifier({ secretKey: SECRET_KEY });
    const app = new Koa();
    app.use(errorsAnswered(systemRandom, SILENT));
    app.use(viewHandler(new ViewIntake({ verifier, facts, clock: systemClock, windowMs: WINDOW_MS })));
    server = createServer(app.callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const tokenOf = (issuedAtMs = Date.now()): string => mint.mintTracking(aSale({ issuedAtMs })).url.split('?')[1]!;

  async function tell(event: string, token: string, method = 'POST'): Promise<number> {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/track/view?event=${event}&${token}`, { method });
    await response.text();
    return response.status;
  }

  /** What was counted since the last time. */
  const ofPublisher = () => Object.fromEntries(facts.publisher('publisher-1', false).take().counts);
  const ofDsp = () => Object.fromEntries(facts.dsp('dsp-1', false).take().counts);
  const ofNobody = () => Object.fromEntries(facts.platform(false).take().counts);

  it('counts each event of an impression once, for the publisher and for the DSP', async () => {
    const token = tokenOf();
    for (const event of ['measurable', 'viewable', 'viewable']) expect(await tell(event, token)).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1, 'viewCalls/repeated': 1 });
    expect(ofDsp()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1 });
  });

  it('takes what was seen for measurable, too, however players tell it', async () => {
    const token = tokenOf();
    expect(await tell('viewable', token, 'GET')).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1, 'views/viewable': 1 });
    await tell('measurable', token);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/repeated': 1 });
    await tell('not_viewable', tokenOf(), 'GET');
    expect(ofPublisher()).to.deep.equal({ 'views/measurable': 1 });
    expect(await tell('viewable', tokenOf(), 'HEAD')).to.equal(405);
    expect(ofPublisher()).to.deep.equal({});
  });

  it('counts by the other side and by creative', async () => {
    await tell('viewable', tokenOf());
    await tell('measurable', tokenOf());
    const seen = { bids: 0, wins: 0, measurable: 2, viewable: 1 };
    expect([...facts.publisher('publisher-1', false).take().counterparties]).to.deep.equal([['dsp-1', seen]]);
    const { counterparties, creatives } = facts.dsp('dsp-1', false).take();
    expect([...counterparties]).to.deep.equal([['publisher-1', seen]]);
    expect([...creatives]).to.deep.equal([[aSale().crid, seen]]);
  });

  it('counts nothing for a token that was altered or made up, and says which', async () => {
    expect(await tell('viewable', tokenOf().replace('dsp=dsp-1', 'dsp=dsp-2'))).to.equal(204);
    expect(await tell('viewable', 'id=auction-1')).to.equal(204);
    expect(ofNobody()).to.deep.equal({ 'viewCalls/altered': 1, 'viewCalls/forged': 1 });
    expect([ofPublisher(), ofDsp()]).to.deep.equal([{}, {}]);
  });

  it('counts nothing past the window', async () => {
    expect(await tell('viewable', tokenOf(Date.now() - WINDOW_MS))).to.equal(204);
    expect(ofPublisher()).to.deep.equal({ 'viewCalls/expired': 1 });
    expect(ofDsp()).to.deep.equal({});
  });

  it('refuses an event that there is not', async () => {
    expect(await tell('clicked', tokenOf())).to.equal(400);
    expect(ofPublisher()).to.deep.equal({});
  });
});
