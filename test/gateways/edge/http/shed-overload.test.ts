import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { writeAtTurnEnd } from '#async/turn-end';
import { LoadShedder } from '#gateways/edge/http/shed-overload';
import type { ApiError } from '#gateways/errors';
import { systemRandom } from '#runtime/providers/system/system-random';
import { VirtualClock } from '#test/support/virtual-clock';

const TRACKING_CALL = 'GET /track/impression?x HTTP/1.1\r\nHost: x\r\n\r\n';

/** An exchange for which each request takes a millisecond, by a clock that nothing else moves. */
describe('gateways/edge/http/shed-overload', () => {
  let clock: VirtualClock;
  let shedder: LoadShedder;
  let server: Server;
  let port: number;
  let millisOfRequest = 1;
  beforeEach(async () => {
    clock = new VirtualClock();
    shedder = new LoadShedder(clock, systemRandom);
    millisOfRequest = 1;
    server = createServer(
      shedder.before((request, response) => {
        clock.advance(millisOfRequest);
        try {
          shedder.check(request);
          response.writeHead(204).end();
        } catch (error) {
          response.writeHead(500, { 'x-code': (error as ApiError).code, 'content-length': 0 }).end();
        }
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /**
   * Sends all requests in one write, so that one turn of the event loop reads them, and resolves with their answers.
   */
  const burst = (count: number, head = 'GET /vast HTTP/1.1\r\nHost: x\r\n\r\n'): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head.repeat(count)));
      let received = '';
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/);
        const isWhole = answers.at(-1)!.startsWith('HTTP/1.1 503 ') ? received.endsWith('}') : true;
        if (answers.length < count || !isWhole) return;
        socket.destroy();
        resolve(answers);
      });
    });
  const statuses = async (count: number, head?: string): Promise<number[]> =>
    (await burst(count, head)).map((answer) => Number(answer.slice(9, 12)));
  const served = (all: readonly number[]): number => all.filter((status) => status === 204).length;

  it('serves whatever one turn brings while it is in time', async () => {
    millisOfRequest = 0.1;
    expect(served(await statuses(400))).to.equal(400);
    expect(shedder.shed).to.equal(0);
  });

  for (const path of ['/rtb', '/ad', '/openrtb2/auction', '/openrtb2/amp?tag_id=a', '/cookie_sync']) {
    it(`refuses what is too much of ${path}`, async () => {
      expect(served(await statuses(200, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))).to.equal(81);
    });
  }

  it('refuses what comes in a turn that takes too long, and serves again when it has ended', async () => {
    const first = await statuses(200);
    expect(served(first)).to.equal(81);
    expect(first.slice(0, 81)).to.not.include(503);
    expect(first.slice(81)).to.deep.equal(Array(119).fill(503));
    expect(shedder.shed).to.equal(119);
    expect(served(await statuses(60)), 'few').to.equal(60);
  });

  it('refuses earlier when the turn before was long too', async () => {
    await statuses(200);
    millisOfRequest = 0.5;
    expect(served(await statuses(200)), '64, and what comes within 30 ms').to.equal(64);
  });

  it('forgets a long turn that ended a while ago', async () => {
    await statuses(200);
    clock.advance(31);
    millisOfRequest = 0.5;
    expect(served(await statuses(150)), 'within 80 ms').to.equal(150);
  });

  it('counts how long the turn before took as time that was waited', async () => {
    await statuses(100, TRACKING_CALL);
    millisOfRequest = 0.25;
    expect(served(await statuses(200)), 'within 120 ms of its begin, not within 30 ms').to.equal(81);
  });

  it('refuses all that waited for too long, once', async () => {
    await statuses(150, TRACKING_CALL);
    expect(served(await statuses(60))).to.equal(0);
    expect(served(await statuses(60))).to.equal(60);
  });

  it('takes a long turn of few requests for a pause', async () => {
    millisOfRequest = 10;
    expect(served(await statuses(60))).to.equal(60);
  });

  it('lets what was decided in the turn leave before it refuses', async () => {
    const order: string[] = [];
    const shedding = new LoadShedder(clock, systemRandom, () => order.push('refused'));
    const handle = shedding.before((_request, response) => {
      clock.advance(1);
      writeAtTurnEnd(() => {
        order.push('written');
        response.writeHead(204).end();
      });
    });
    server.removeAllListeners('request');
    server.on('request', handle);
    expect(served(await statuses(90))).to.equal(81);
    expect(order).to.deep.equal([...Array(81).fill('written'), ...Array(9).fill('refused')]);
  });

  it('answers with an error of the catalogue, an id and when to come back', async () => {
    const answers = await burst(
      100,
      'POST /rtb HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\nContent-Length: 2\r\n\r\n{}',
    );
    const refusal = answers.at(-1)!;
    expect(refusal).to.match(/^HTTP\/1\.1 503 /);
    expect(refusal).to.match(/\r\nX-Request-Id: mine\r\n/);
    expect(refusal).to.match(/\r\nRetry-After: 30\r\n/);
    expect(JSON.parse(refusal.split('\r\n\r\n')[1]!).error).to.include({
      code: 'SERVICE_UNAVAILABLE',
      request_id: 'mine',
    });
  });

  for (const [what, head] of [
    ['impressions', TRACKING_CALL],
    ['preflights', 'OPTIONS /vast HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['creatives', 'GET /creative/x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const) {
    it(`refuses no ${what}`, async () => {
      expect(served(await statuses(200, head))).to.equal(200);
      expect(shedder.shed).to.equal(0);
    });
  }

  it('leaves the refusal of a page’s request to where its headers are set', async () => {
    const answers = await burst(100, 'GET /ad HTTP/1.1\r\nHost: x\r\nOrigin: https://page.test\r\n\r\n');
    expect(answers.at(-1)).to.match(/^HTTP\/1\.1 500 .*\r\nx-code: SERVICE_UNAVAILABLE\r\n/);
    expect(shedder.shed).to.equal(19);
  });
});
