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
