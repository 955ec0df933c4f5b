import { expect } from 'chai';
import { eventually } from '#test/support/eventually';
import { callJson, realProviders } from '#test/support/exchange';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import { Installation } from '../installation.ts';

const PATIENT = { timeoutMs: 60_000, everyMs: 50 };

describe('a supervisor whose processes have a store that hangs', () => {
  let installation: Installation | undefined;
  let proxy: TcpProxy | undefined;
  afterEach(async () => {
    await installation?.remove();
    await proxy?.close();
  });

  it('names the store, and has the metrics of all processes meanwhile', async function () {
    const real = realProviders(this);
    const mongodb = new URL(real.MONGODB_URL!);
    proxy = await openTcpProxy(mongodb.hostname, Number(mongodb.port));
    mongodb.port = String(proxy.port);
    installation = await Installation.make({ ...real, MONGODB_URL: mongodb.href, EDGE_WORKERS: '2' });
    await installation.start();
    const { opsUrl } = installation;
    const missing = async () => (await callJson('GET', `${opsUrl}/readyz`)).body.missing as readonly string[];
    expect(await missing()).to.deep.equal([]);

    const seen = new Set<string>();
    proxy.stall();
    await eventually(
      'the store to be missing',
      async () => {
        const found = await missing();
        for (const part of found) seen.add(part);
        return found.includes('others: store');
      },
      PATIENT,
    );
    expect([...seen].filter((part) => part.endsWith('does not answer'))).to.deep.equal([]);

    const text = await (await fetch(`${opsUrl}/metrics`)).text();
    for (const name of ['others', 'edge-1', 'edge-2']) {
      expect(text).to.contain(`\nexchange_process_up{process="${name}"} 1\n`);
      expect(text).to.match(new RegExp(`^store_errors_total\\{.*process="${name}".*\\} \\d+$`, 'm'));
    }
    expect(text).not.to.match(/^webhook_queues_open/m);
  });
});
