import { expect } from 'chai';
import { Registry } from 'prom-client';
import { type Operations, type OperationsOptions, startOperations } from '#gateways/operations';
import { callJson } from '../support/exchange.ts';

describe('the operations port', () => {
  let missing: readonly string[] | Error;
  let operations: Operations;

  beforeEach(async () => {
    missing = [];
    const options: OperationsOptions = {
      registry: new Registry(),
      async unready(leftOut) {
        if (missing instanceof Error) throw missing;
        return missing.filter((name) => !leftOut.has(name as 'log'));
      },
      host: '127.0.0.1',
    };
    operations = await startOperations(0, options);
  });
  afterEach(() => operations.close());
  const call = (method: string, path: string) => callJson(method, `http://127.0.0.1:${operations.port}${path}`);

  it('answers 503 with the names of what is missing, and is alive all the same', async () => {
    missing = ['log', 'catalogue'];
    const { status, body } = await call('GET', '/readyz');
    expect([status, body]).to.deep.equal([503, { status: 'unready', missing }]);
    expect((await call('GET', '/livez')).status).to.equal(200);
    missing = [];
    expect((await call('GET', '/readyz')).status).to.equal(200);
  });

  it('is not ready when its parts do not answer', async () => {
    missing = new Error('the log does not answer');
    const { status, body } = await call('GET', '/readyz');
    expect([status, body.missing]).to.deep.equal([503, ['Error: the log does not answer']]);
  });

  it('is ready without the log and the store for whoever excludes them, and knows no other name', async () => {
    missing = ['log', 'store'];
    expect((await call('GET', '/readyz?exclude=log&exclude=store')).status).to.equal(200);
    expect((await call('GET', '/readyz?exclude=log')).body.missing).to.deep.equal(['store']);
    missing = ['log', 'catalogue'];
    expect((await call('GET', '/readyz?exclude=log&exclude=store')).body.missing).to.deep.equal(['catalogue']);
    const { status, body } = await call('GET', '/readyz?exclude=catalogue');
    expect([status, body]).to.deep.equal([400, { status: 'exclude: log or store, not catalogue' }]);
  });

  it('has nothing else', async () => {
    expect((await call('GET', '/')).status).to.equal(404);
    expect((await call('POST', '/livez')).status).to.equal(405);
    expect((await call('GET', '/LIVEZ')).status).to.equal(404);
  });

  it('neither shows dead letters nor replays one: only an operator may, at the management API', async () => {
    expect((await call('GET', '/dead-letters')).status).to.equal(404);
    expect((await call('POST', '/dead-letters/0:1-1/replay')).status).to.equal(404);
  });

  it('closes though a connection is kept alive', async () => {
    await call('GET', '/livez');
    await operations.close();
    const refused = await fetch(`http://127.0.0.1:${operations.port}/livez`).catch((error) => error.cause.code);
    expect(refused).to.equal('ECONNREFUSED');
  });
});
