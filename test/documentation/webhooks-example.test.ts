import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSigningSecret } from '../../gateways/webhooks/signing-secret.ts';
import { webhookBody, webhookHeaders } from '../../gateways/webhooks/webhook-message.ts';
import { eventually } from '../support/eventually.ts';
import { inheritedEnvironment } from '../support/exchange-command.ts';
import { freePort } from '../support/free-port.ts';

describe('docs/webhooks.md', () => {
  const secret = makeSigningSecret();
  let folder: string;
  let receiver: ChildProcess;
  let url: string;
  let printed = '';

  before(async () => {
    const page = await readFile('docs/webhooks.md', 'utf8');
    const [, program] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    expect(program, 'the program of the page').to.be.a('string');
    folder = await mkdtemp(join(tmpdir(), 'webhook-example-'));
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'receiver.mjs'), program!);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
      env: { ...inheritedEnvironment(), WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receiver.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
    await eventually('the receiver to listen', async () => (await fetch(url, { method: 'POST', body: '{}' })).status);
  });
  after(async () => {
    const ended = once(receiver, 'exit');
    receiver.kill();
    await ended;
    await rm(folder, { recursive: true });
  });

  const send = async (secrets: readonly string[], alter = (body: string) => body) => {
    const data = { webhook_id: 'w1' };
    const body = webhookBody({ type: 'webhook.test', occurredAtMs: Date.now(), data });
    const headers = webhookHeaders('evt_test_1', body, secrets, Date.now());
    return (await fetch(url, { method: 'POST', headers, body: alter(body) })).status;
  };

  it('has a receiver that takes what the exchange signs, once', async () => {
    expect(await send([secret])).to.equal(200);
    expect(await send([makeSigningSecret(), secret])).to.equal(200);
    await eventually('the event to be printed', () => printed !== '');
    expect(printed).to.equal('webhook.test {"webhook_id":"w1"}\n');
  });

  it('has a receiver that takes nothing else', async () => {
    expect(await send([makeSigningSecret()])).to.equal(401);
    expect(await send([secret], (body) => `${body} `)).to.equal(401);
  });
});
