import { createServer } from 'node:tls';
import { expect } from 'chai';
import { Bidder } from '#gateways/bidders/bidder';
import { askBidders } from '#gateways/bidders/fan-out';
import { MarkupFetcher } from '#gateways/bidders/markup-fetcher';
import { Notices } from '#gateways/bidders/notices/notices';
import { DEFAULT_NOTICE_SETTINGS } from '#gateways/bidders/notices/settings';
import { DEFAULT_BIDDER_SETTINGS } from '#gateways/bidders/settings';
import { bidderContext } from '#gateways/bidders/tls/bidder-context';
import { tryBidder } from '#gateways/bidders/trial-call';
import { systemClock } from '#runtime/providers/system/system-clock';
import { makeDspProjection } from '#test/support/dsp-projection';
import { eventually } from '#test/support/eventually';
import { EXPIRED_CERTIFICATE, LOCAL_CERTIFICATE } from '#test/support/local-certificate';
import { type RawBidder, startRawBidder } from '../channels/raw-bidder.ts';

const body = Buffer.from('{"id":"1","imp":[{"id":"1"}]}');
const authorities = [LOCAL_CERTIFICATE.cert, EXPIRED_CERTIFICATE.cert];

describe('a bidder whose certificate has expired', () => {
  const server = createServer(EXPIRED_CERTIFICATE);
  const secureContext = bidderContext({ authorities, own: null });
  const settings = { ...DEFAULT_BIDDER_SETTINGS, allowPrivateNetworks: true, maxTimeoutMs: 2_000, secureContext };
  let raw: RawBidder;
  let bidder: Bidder;
  let url: string;
  const endpoint = (endpointUrl: string) => makeDspProjection({ endpointUrl, timeoutMs: 2_000 });

  before(async () => {
    raw = await startRawBidder((socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'), server);
    url = `https://localhost:${raw.url.port}/bid`;
    bidder = new Bidder(endpoint(url), settings, systemClock);
  });
  after(async () => {
    bidder.close();
    await raw.close();
  });

  it('has a reason of its own, in auctions, in trials and in its health, until it has another one', async () => {
    const [call] = await askBidders([bidder], { body: () => body }, 2_000, systemClock);
    expect(call!.outcome).to.deep.equal({ reason: 'tls-failed', detail: 'certificate has expired' });
    expect(bidder.takeFigures()).to.include({ connectionProblem: 'certificate-expired', errors: 1 });
    const { outcome } = await tryBidder(bidder.dsp, settings, body, 2_000, systemClock);
    expect(outcome).to.include({ reason: 'tls-failed' });

    server.setSecureContext(LOCAL_CERTIFICATE);
    const [mended] = await askBidders([bidder], { body: () => body }, 2_000, systemClock);
    expect(mended!.outcome).to.include({ reason: 'no-bid' });
    expect(bidder.takeFigures()).to.include({ connectionProblem: null });
  });

  it('has no such problem in its health any more once it answers, though with an error', async () => {
    server.setSecureContext(EXPIRED_CERTIFICATE);
    const failing = new Bidder(endpoint(url), settings, systemClock);
    const { script } = raw;
    try {
      await askBidders([failing], { body: () => body }, 2_000, systemClock);
      expect(failing.takeFigures()).to.include({ connectionProblem: 'certificate-expired' });

      server.setSecureContext(LOCAL_CERTIFICATE);
      raw.script = (socket) => socket.write('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n');
      const [mended] = await askBidders([failing], { body: () => body }, 2_000, systemClock);
      expect(mended!.outcome).to.deep.equal({ reason: 'http-error', detail: 'status 500' });
      expect(failing.takeFigures()).to.include({ connectionProblem: null, errors: 2 });
    } finally {
      raw.script = script;
      server.setSecureContext(LOCAL_CERTIFICATE);
      failing.close();
    }
  });

  it('has no such problem in its health any more once its endpoint is another one', async () => {
    server.setSecureContext(EXPIRED_CERTIFICATE);
    const moving = new Bidder(endpoint(url), settings, systemClock);
    try {
      await askBidders([moving], { body: () => body }, 2_000, systemClock);
      moving.update({ ...endpoint(url), qpsLimit: 7 });
      expect(moving.takeFigures(), 'the same endpoint').to.include({ connectionProblem: 'certificate-expired' });
      moving.update(endpoint(url.replace('/bid', '/other')));
      expect(moving.takeFigures()).to.include({ connectionProblem: null, errors: 1 });
    } finally {
      server.setSecureContext(LOCAL_CERTIFICATE);
      moving.close();
    }
  });

  it('gives notices and markup by the same authorities', async () => {
    let asked = 0;
    raw.script = (socket) => {
      asked++;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<b>a</');
    };
    const markup = new MarkupFetcher(settings, systemClock);
    const notices = new Notices({ ...DEFAULT_NOTICE_SETTINGS, allowPrivateNetworks: true, secureContext }, systemClock);
    try {
      expect(await markup.fetch(url.replace('/bid', '/win'), 2_000)).to.equal('<b>a</');
      notices.send('billing', url.replace('/bid', '/billed'), 'dsp');
      await eventually('the notice', () => asked === 2);
    } finally {
      await markup.close();
      await notices.close(1_000);
    }
  });
});
