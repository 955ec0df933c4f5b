import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import { boundPipelining } from '#gateways/http/bound-pipelining';
import {
  boundConnections,
  type ConnectionLimits,
  DEFAULT_CONNECTION_LIMITS,
  PROGRESS_CHECK_MS,
} from '#gateways/http/connection-limits';
import { eventually } from '../../support/eventually.ts';
import { RawCaller } from '../../support/raw-caller.ts';
import { AheadClock } from '../webhooks/ahead-clock.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
const ALL_OF_IT: RequestListener = (_request, response) => void response.end('all of it');

describe('the connections of a port', () => {
  const clock = new AheadClock();
  const callers: RawCaller[] = [];
  const accepted: Socket[] = [];
  let server: Server;
  let origin: string;

  async function serving(limits: Partial<ConnectionLimits>, handler = ALL_OF_IT, trustProxyHops = 0): Promise<void> {
    server = createServer(boundPipelining(handler));
    server.on('connection', (socket) => accepted.push(socket));
    boundConnections(server, { ...DEFAULT_CONNECTION_LIMITS, ...limits, trustProxyHops }, clock);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function caller(): Promise<RawCaller> {
    const opened = await RawCaller.to(origin);
    callers.push(opened);
    return opened;
  }

  afterEach(async () => {
    for (const each of callers.splice(0)) each.end();
    accepted.splice(0);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('are bounded for each address, idle ones counted, and free again when one ends', async () => {
    await serving({ maxPerInsideAddress: 3 });
    const kept = [await caller(), await caller(), await caller()];
    kept[0]!.write(GET);
    await kept[0]!.waitFor(/all of it/);
    await (await caller()).closed;
    kept[1]!.end();
    await eventually('the server has seen it end', () => accepted[1]!.destroyed);
    const next = await caller();
    next.write(GET);
    expect(await next.waitFor(/all of it/)).to.match(/^HTTP\/1\.1 200 /);
  });

  it('of a trusted proxy fall under the bound of proxies and not under that of public callers', async () => {
    await serving({ maxPerAddress: 1, maxPerInsideAddress: 0 }, ALL_OF_IT, 1);
    for (let at = 0; at < 5; at++) {
      const each = await caller();
      each.write(GET);
      expect(await each.waitFor(/all of it/)).to.match(/^HTTP\/1\.1 200 /);
    }
  });

  /** Answers far more than the system buffers for a connection. */
  const long: RequestListener = (_request, response) => void response.end(Buffer.alloc(32 * 1024 * 1024));

  async function whoNeverReads(): Promise<RawCaller> {
    const silent = await caller();
    silent.socket.pause();
    silent.write(GET);
    const at = accepted.length - 1;
    await eventually('an answer waits', () => (accepted[at]?.writableLength ?? 0) > 0);
    return silent;
  }

  it('are cut off when a caller takes nothing of its answer for 30 seconds', async () => {
    await serving({}, long);
    await whoNeverReads();
    const [socket] = accepted;
    clock.advance(PROGRESS_CHECK_MS);
    expect(socket!.destroyed).to.equal(false);
    clock.advance(DEFAULT_CONNECTION_LIMITS.stalledMs);
    expect(socket!.destroyed).to.equal(true);
  });

  it('stay while a caller takes its answer bit by bit', async () => {
    await serving({}, long);
    const reader = await whoNeverReads();
    const [socket] = accepted;
    clock.advance(PROGRESS_CHECK_MS);
    for (let round = 0; round < 3; round++) {
      const before = socket!.bytesWritten - socket!.writableLength;
      const taken = () =>
        socket!.bytesWritten - socket!.writableLength - before > 4_096 || socket!.writableLength === 0;
      reader.socket.resume();
      await eventually('more was taken', taken);
      reader.socket.pause();
      clock.advance(DEFAULT_CONNECTION_LIMITS.stalledMs);
      expect(socket!.destroyed, `round ${round}`).to.equal(false);
    }
  });

  it('that have taken nothing for longest are cut off when answers that wait take more than their share', async () => {
    await serving({ maxUntakenBytes: 40 * 1024 * 1024 }, long);
    await whoNeverReads();
    clock.advance(PROGRESS_CHECK_MS);
    await whoNeverReads();
    clock.advance(PROGRESS_CHECK_MS);
    expect(accepted.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
  });

  it('end when more than 16 requests wait on one of them, and none beyond is served', async () => {
    let served = 0;
    const never: RequestListener = () => void served++;
    await serving({}, never);
    const flood = await caller();
    flood.write(GET.repeat(1_000));
    await flood.closed;
    expect(served).to.equal(17);
  });

  it('serve one request after the other where a few are sent ahead', async () => {
    await serving({});
    const ahead = await caller();
    for (let round = 0; round < 3; round++) {
      ahead.write(GET.repeat(15));
      await ahead.waitFor((heard) => heard.split('all of it').length > 15 * (round + 1));
    }
    expect(ahead.received.match(/all of it/g)).to.have.length(45);
  });
});
