import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { UnsentAnswers } from '#gateways/http/unsent-answers';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';

const CALLS = 10;

describe('gateways/http/unsent-answers', () => {
  it('logs callers that reset their connections at debug, and one line for all other failures', async () => {
    const lines: string[] = [];
    const note = (level: string) => (_: object, message: string) => lines.push(`${level} ${message}`);
    const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
    const unsent = new UnsentAnswers({ logger, clock: systemClock });
    const app = new Koa();
    app.on('error', (err) => unsent.note(err));
    const waiting: (() => void)[] = [];
    app.use(async (ctx) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      ctx.body = 'an ad';
    });
    const server = createServer(app.callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let call = 0; call < CALLS; call++) {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: edge.test\r\n\r\n'));
      await eventually('the call to arrive', () => waiting.length === call + 1);
      socket.resetAndDestroy();
    }
    await eventually('all resets to be noted', () => lines.length === CALLS);
    expect(lines).to.deep.equal(Array(CALLS).fill('debug a caller hung up before its answer'));

    lines.length = 0;
    for (let failure = 0; failure < CALLS; failure++) unsent.note(new Error('the stream has ended'));
    expect(lines).to.deep.equal(['warn an answer could not be sent']);
    for (const answer of waiting) answer();
    server.close();
    unsent.close();
    expect(lines.slice(1)).to.deep.equal(['info an answer could not be sent; no more of it']);
  });
});
