import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { WinNotifier } from '#edge/impressions/told-wins';
import { TrackingMint } from '#edge/tracking/mint';
import { TrackingVerifier } from '#edge/tracking/verify';
import { answerErrors } from '#gateways/edge/http/errors-answered';
import { winHandler } from '#gateways/edge/tracking/win-handler';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { aSale, SECRET_KEY } from '#test/edge/tracking/a-sale';

const WINDOW_MS = 60_000;

describe('GET /track/win', () => {
  const mint = new TrackingMint({ secretKey: SECRET_KEY, publicEdgeUrl: '' });
  let won: string[];
  let server: Server;

  beforeEach(async () => {
    won = [];
    const app = new Koa();
    app.use(answerErrors(systemRandom, SILENT));
    const wins = new WinNotifier({ edge: 'edge-1', clock: systemClock, onWin: (url) => won.push(url) });
    const verifier = new TrackingVerifier({ secretKey: SECRET_KEY });
    app.use(winHandler({ verifier, clock: systemClock, windowMs: WINDOW_MS, wins }));
    server = createServer(app.callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function winUrl(issuedAtMs: number, trackingId = 'a'.repeat(22)): string {
    const { billingNoticeUrl: _, ...sale } = aSale({ issuedAtMs });
    return mint.mintWin(sale, trackingId, 'https://dsp.test/nurl?price=2.5');
  }

  function call(path: string, method = 'GET'): Promise<Response> {
    return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { method });
  }

  it('notifies the DSP of the first report of a win only', async () => {
    const url = winUrl(Date.now());
    for (let report = 0; report < 3; report++) expect((await call(url)).status).to.equal(204);
    expect(won).to.deep.equal(['https://dsp.test/nurl?price=2.5']);
    await call(winUrl(Date.now(), 'b'.repeat(22)));
    expect(won).to.have.length(2);
  });

  it('answers alike, and does nothing, when the report is forged, altered or late', async () => {
    const calls = ['/track/win', winUrl(Date.now()).replace('nurl', 'elsewhere'), winUrl(Date.now() - WINDOW_MS)];
    for (const path of calls) expect((await call(path)).status, path).to.equal(204);
    expect(won).to.be.empty;
  });

  it('takes GET alone', async () => {
    for (const method of ['HEAD', 'POST']) {
      const response = await call(winUrl(Date.now()), method);
      expect([response.status, response.headers.get('allow')], method).to.deep.equal([405, 'GET']);
    }
    expect(won).to.be.empty;
  });
});
