import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { DEFAULT_BODY_LIMITS } from '#gateways/edge/http/body-limits';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';
import { bidRequestHead, RawCaller } from '../../support/raw-caller.ts';
import { AheadClock } from '../webhooks/ahead-clock.ts';

const SLOW = 2_100;
/** Connections that are opened in one go: fewer than wait to be accepted. */
const AT_ONCE = 100;

describe('bodies that are slow to come', () => {
  let exchange: EdgeUnderTest;
  const clock = new AheadClock();
  const callers: RawCaller[] = [];

  async function opened(settings: ConstructorParameters<typeof EdgeUnderTest>[0] = {}): Promise<void> {
    exchange = await new EdgeUnderTest({ maxAuctionMs: 60_000, ...settings }, undefined, {}, clock).start();
    exchange.delegate([{ id: 'campaign-1' }]);
  }

  /** Callers that have sent the head of a bid request and part of its body. */
  async function slow(count: number, bodyBytes = 100, part = '{'): Promise<RawCaller[]> {
    const heads = bidRequestHead(bodyBytes) + part;
    const opening: RawCaller[] = [];
    while (opening.length < count) {
      const some = Math.min(AT_ONCE, count - opening.length);
      opening.push(...(await Promise.all(Array.from({ length: some }, () => RawCaller.to(exchange.origin)))));
    }
    for (const caller of opening) caller.write(heads);
    callers.push(...opening);
    return opening;
  }

  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.end();
    await exchange.close();
  });

  it('answers every honest request while 2,100 callers send no body', async () => {
    await opened();
    await slow(SLOW);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange.post(bannerRequest())));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
  });

  it('answers 408 and ends the connection when a body has not come within 2 seconds', async () => {
    await opened();
    const [caller] = await slow(1);
    const honest = await exchange.post(bannerRequest());
    expect(honest.status).to.equal(200);
    clock.advance(DEFAULT_BODY_LIMITS.timeoutMs);
    const answer = await caller!.waitFor(/REQUEST_TIMEOUT/);
    expect(answer).to.match(/^HTTP\/1\.1 408 [\s\S]*connection: close/i);
    await caller!.closed;
  });

  it('gives up the oldest body and not the newest when more come than it reads at once', async () => {
    await opened({ bodies: { ...DEFAULT_BODY_LIMITS, maxReading: 3 } });
    const [first, ...others] = await slow(4);
    expect(await first!.waitFor(/SERVICE_UNAVAILABLE/)).to.match(/^HTTP\/1\.1 503 /);
    expect((await exchange.post(bannerRequest())).status, 'an honest body').to.equal(200);
    expect(others.map(({ received: heard }) => heard).filter((heard) => heard !== '')).to.have.length.at.most(1);
  });

  it('gives up the oldest body when all of them take more bytes than they may', async () => {
    await opened({ bodies: { ...DEFAULT_BODY_LIMITS, maxBytes: 100_000 } });
    const [first] = await slow(3, 60_000, 'x'.repeat(40_000));
    expect(await first!.waitFor(/SERVICE_UNAVAILABLE/)).to.match(/^HTTP\/1\.1 503 /);
    expect((await exchange.post(bannerRequest())).status, 'an honest body').to.equal(200);
  });

  it('takes a gzipped body that comes in parts', async () => {
    await opened();
    const body = gzipSync(JSON.stringify(bannerRequest()));
    const caller = await RawCaller.to(exchange.origin);
    callers.push(caller);
    caller.write(bidRequestHead(body.length).replace('\r\n\r\n', '\r\nContent-Encoding: gzip\r\n\r\n'));
    caller.socket.write(body.subarray(0, 20));
    caller.socket.write(body.subarray(20));
    expect(await caller.waitFor(/\r\n\r\n/)).to.match(/^HTTP\/1\.1 200 /);
  });
});
