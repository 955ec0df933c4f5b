import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createClient, type ExchangeClient } from '#client/index';
import { eventually } from '../support/eventually.ts';
import { startTestExchange, type TestExchange } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { installPackedClient, type ProgramFolder } from './packed-client.ts';

const run = promisify(execFile);
const EXAMPLES = 'client/examples';

describe('the examples of the client', () => {
  let exchange: TestExchange;
  let program: ProgramFolder;
  let client: ExchangeClient;
  before(async function () {
    exchange = await startTestExchange(this, 'embedded');
    client = createClient({ baseUrl: exchange.baseUrl, apiKey: exchange.sandboxKey });
    program = await installPackedClient();
    const names = await readdir(EXAMPLES);
    for (const name of names) await program.write(name, await readFile(join(EXAMPLES, name), 'utf8'));
    const page = await readFile('client/README.md', 'utf8');
    await program.write(
      'page.ts',
      /```ts\n([\s\S]*?)```/.exec(page)![1]!.replace('http://localhost:8080', exchange.baseUrl),
    );
    expect(await program.compile(...names, 'page.ts')).to.equal('');
  });
  after(async () => {
    await program?.remove();
    await exchange?.stop();
  });

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env.PATH,
    EXCHANGE_URL: exchange.baseUrl,
    EXCHANGE_KEY: exchange.sandboxKey,
    ...more,
  });
  const print = async (name: string) => {
    const { stdout } = await run(process.execPath, [join(program.path, 'out', name)], { env: environment() });
    return stdout.trim().split('\n');
  };

  it('bring a publisher its first ad', async () => {
    const [script, slot, ad] = await print('publisher.js');
    expect(script).to.equal(`<script async src="${exchange.edgeUrl}/tag.js"></script>`);
    expect(slot).to.match(/^<div data-ad-publisher="[0-9a-f-]{36}" data-ad-sizes="300x250"><\/div>$/);
    expect(ad).to.match(/^an ad of \d{3,} characters$/);
  });

  it('try a strategy on the auctions that there were', async () => {
    await eventually('the auction of the publisher to be recorded', async () => {
      const { data } = await client.get('/api/auctions');
      return data.auctions.length > 0;
    });
    const [backtest, budget] = await print('buyer.js');
    expect(backtest).to.match(/^[1-9]\d* recorded auctions: [1-9]\d* bids, [1-9]\d* won, [\d.]+ cents$/);
    expect(budget).to.equal('Spring buyer spends 10000 cents a day at most');
  });

  it('begin with that of its page', async () => {
    const lines = await print('page.js');
    expect(lines.filter((line) => / Harbour News true$/.test(line))).to.have.length(1);
    expect(lines.length).to.be.above(1);
  });

  it('read what a month pays', async () => {
    const lines = await print('statement.js');
    expect(lines).to.include('Harbour News, the site: 0 impressions, 0 cents');
    expect(lines.at(-2)).to.match(/^due for \d{4}-\d\d: \d+ cents$/);
    expect(lines.at(-1)).to.match(/^publisher,publisher_id,month,/);
  });

  it('receive webhooks, each event once', async () => {
    const port = await freePort();
    const { data: webhook } = await client.post('/api/webhooks', {
      body: { url: `http://127.0.0.1:${port}/`, events: ['pool.dsp_joined'] },
    });
    const env = environment({ WEBHOOK_SECRET: webhook.secret, PORT: String(port) });
    const receiver = spawn(process.execPath, [join(program.path, 'out', 'webhooks.js')], { env });
    let printed = '';
    receiver.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    try {
      await eventually('the receiver to listen', () => printed.includes('listening'));
      const { data: dsp } = await client.post('/api/demand/sources', { body: { name: 'Joiner', mode: 'delegate' } });
      const { data: pools } = await client.get('/api/supply/pools');
      const pool_id: string = pools.pools[0]!.id;
      const params = { path: { id: dsp.id, pool_id } };
      await client.post('/api/demand/sources/{id}/pools/{pool_id}', { params });
      await eventually('the delivery', () => printed.includes(`Joiner buys from ${pool_id}\n`), { timeoutMs: 60_000 });
      expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).to.equal(401);
    } finally {
      await end(receiver);
    }
  });
});

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
