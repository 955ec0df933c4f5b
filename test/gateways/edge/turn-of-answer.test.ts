import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { UNLIMITED_BUDGETS } from '#edge/budgets/edge-budgets';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

/** Beside Koa, and the same endpoint with a query that says nothing, which goes through Koa. */
const PATHS = ['/rtb', '/rtb?through=koa'] as const;

/** An answer is decided in one place of a turn of the event loop, and written at the turn's end. */
describe('between the decision and the answer of a bid request', () => {
  let exchange: EdgeUnderTest;
  /** What happens once, when the next imp is sold. */
  let whenSold: () => void;
  beforeEach(async () => {
    whenSold = () => {};
    exchange = new EdgeUnderTest();
    exchange.budgets = {
      ...UNLIMITED_BUDGETS,
      reserve: (...sale) => {
        const happens = whenSold;
        whenSold = () => {};
        happens();
        return UNLIMITED_BUDGETS.reserve(...sale);
      },
    };
    await exchange.start();
    await exchange.bidder(bids({ price: 1 }));
  });
  afterEach(() => exchange.close());

  async function caller(path: string): Promise<Socket> {
    const socket = connect(Number(new URL(exchange.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    const body = JSON.stringify(bannerRequest());
    const head = ['Host: edge.test', 'Content-Type: application/json', `Content-Length: ${body.length}`];
    socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`);
    return socket;
  }

  for (const path of PATHS) {
    for (const [how, hangUp] of [
      ['resets its connection', (socket: Socket) => socket.resetAndDestroy()],
      ['ends its connection', (socket: Socket) => socket.end()],
      ['closes its connection', (socket: Socket) => socket.destroy()],
    ] as const) {
      it(`a caller that ${how} harms nobody (${path})`, async () => {
        const leaving = await caller(path);
        leaving.resume();
        leaving.on('error', () => undefined);
        let hasSold = false;
        whenSold = () => {
          hasSold = true;
          hangUp(leaving);
        };
        await once(leaving, 'close');
        expect(hasSold).to.equal(true);
        for (let n = 0; n < 3; n++) expect((await exchange.post(bannerRequest(), {}, path)).status).to.equal(200);
        expect(exchange.edge.auctionsInFlight).to.equal(0);
        expect(exchange.logged).to.deep.equal([]);
      });
    }

    it(`an edge that closes still answers, and ends the connection (${path})`, async () => {
      const asking = await caller(path);
      const chunks: Buffer[] = [];
      asking.on('data', (chunk) => chunks.push(chunk));
      let closed: Promise<void> | undefined;
      whenSold = () => {
        closed = exchange.edge.close();
      };
      await once(asking, 'close');
      const answer = Buffer.concat(chunks).toString();
      expect(answer)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.to.match(/\r\nconnection: close\r\n/i);
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).seatbid).to.have.length(1);
      await closed;
    });
  }
});
