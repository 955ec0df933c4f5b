import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { createClient } from '#client/index';
import { startTestExchange, type TestExchange } from '../support/exchange.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

describe('live metrics by the client', () => {
  let exchange: TestExchange;
  let proxy: TcpProxy;
  before(async function () {
    exchange = await startTestExchange(this, 'embedded');
    proxy = await openTcpProxy('127.0.0.1', Number(new URL(exchange.baseUrl).port));
  });
  after(async () => {
    await proxy.close();
    await exchange.stop();
  });

  it('come one after another, over a connection that breaks in between, until the caller stops', async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: exchange.liveKey });
    const types: string[] = [];
    for await (const { type, rps } of client.liveMetrics()) {
      expect(rps).to.be.a('number');
      types.push(type);
      if (types.length === 3) break;
      proxy.cut();
      proxy.restore();
    }
    expect(types).to.deep.equal(['metrics_update', 'metrics_update', 'metrics_update']);
  });

  it('end when the caller says so', async () => {
    const client = createClient({ baseUrl: exchange.baseUrl, apiKey: exchange.liveKey });
    const ended = new AbortController();
    let updates = 0;
    for await (const { timestamp } of client.liveMetrics({ signal: ended.signal })) {
      expect(Date.parse(timestamp)).to.be.above(0);
      updates++;
      ended.abort();
    }
    expect(updates).to.equal(1);
  });

  it('end when the caller says so while the socket is opened, or the session', async () => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const session = { email: 'ann@news.example', password: 'of this test' };
    try {
      for (const credentials of [{ apiKey: exchange.liveKey }, { session }]) {
        const ended = new AbortController();
        const update = createClient({ baseUrl, ...credentials })
          .liveMetrics({ signal: ended.signal })
          .next();
        const [socket] = await once(silent, 'connection');
        ended.abort();
        expect(await update).to.deep.equal({ done: true, value: undefined });
        expect(getEventListeners(ended.signal, 'abort')).to.deep.equal([]);
        socket.destroy();
      }
    } finally {
      silent.close();
    }
    const ended = new AbortController();
    const client = createClient({ baseUrl: exchange.baseUrl, apiKey: exchange.liveKey });
    const update = client.liveMetrics({ signal: ended.signal }).next();
    ended.abort();
    expect((await update).done, 'before anything is opened').to.equal(true);
  });

  it('leave no listener at the signal of the caller', async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: exchange.liveKey });
    const { signal } = new AbortController();
    let updates = 0;
    for await (const _ of client.liveMetrics({ signal })) {
      expect(getEventListeners(signal, 'abort').length, 'that of the socket that is open').to.equal(1);
      if (++updates === 3) break;
      proxy.cut();
      proxy.restore();
    }
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('fail where the exchange is not reached', async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: exchange.liveKey, retries: 1 });
    proxy.cut();
    const failing = client.liveMetrics().next();
    await proxy.waitForAttempts(2);
    const error = await failing.catch((thrown) => thrown);
    proxy.restore();
    expect([error.status, error.code]).to.deep.equal([0, 'UNREACHABLE']);
  });

  it('fail with what the exchange says of the key', async () => {
    const client = createClient({ baseUrl: exchange.baseUrl, apiKey: 'pk_live_of_nobody' });
    const error = await client
      .liveMetrics()
      .next()
      .catch((thrown) => thrown);
    expect([error.status, error.code]).to.deep.equal([401, 'UNAUTHORIZED']);
  });
});
