import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { RedirectingClient } from '#gateways/http/redirecting-client';

describe('gateways/http/redirecting-client', () => {
  const never = new AbortController().signal;
  const client = new RedirectingClient({ connections: 2 }, { 'user-agent': 'test' });
  const asked: string[] = [];
  let server: Server;
  let base: string;

  before((done) => {
    server = createServer((request, response) => {
      const path = request.url!;
      asked.push(path);
      const [, status, location] = /^\/to\/(\d+)\/(.*)$/.exec(path) ?? [];
      if (status !== undefined) response.writeHead(Number(status), location === '' ? {} : { location: `/${location}` });
      else {
        const [, coding = 'gzip'] = /^\/coded\/(.*)$/.exec(path) ?? [];
        response.writeHead(200, { 'content-encoding': coding, 'content-type': 'text/plain' });
      }
      response.end(status === undefined ? gzipSync(`answer of ${path}`) : 'moved');
    }).listen(0, '127.0.0.1', () => {
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });

  beforeEach(() => {
    asked.length = 0;
  });

  after(async () => {
    await client.close();
    server.close();
  });

  const follow = (location: string, from: URL) => new URL(location, from);
  const textOf = async (body: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  it('follows each kind of redirect and takes the content coding away', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const answer = await client.get(new URL(`${base}/to/${status}/file?q=1`), follow, never);
      expect([answer.status, answer.url.href, answer.contentType]).to.deep.equal([
        200,
        `${base}/file?q=1`,
        'text/plain',
      ]);
      expect(await textOf(answer.read())).to.equal('answer of /file?q=1');
    }
  });

  it('leaves the body as it comes where the coding is unknown, whatever its name', async () => {
    for (const coding of ['zstd', 'constructor', '__proto__', '__defineGetter__']) {
      const answer = await client.get(new URL(`${base}/coded/${coding}`), follow, never);
      const chunks: Buffer[] = [];
      for await (const chunk of answer.read()) chunks.push(chunk);
      expect(gunzipSync(Buffer.concat(chunks)).toString(), coding).to.equal(`answer of /coded/${coding}`);
    }
  });

  it('goes nowhere that the judge forbids', async () => {
    const judge = () => {
      throw new Error('not there');
    };
    const outcome = await client
      .get(new URL(`${base}/to/302/secret`), judge, never)
      .catch((error: Error) => error.message);
    expect([outcome, asked]).to.deep.equal(['not there', ['/to/302/secret']]);
  });

  it('takes a redirect for an answer where the judge says so, and where it names no place', async () => {
    for (const [path, judge] of [
      ['/to/302/file', () => null],
      ['/to/302/', follow],
    ] as const) {
      const answer = await client.get(new URL(base + path), judge, never);
      expect(answer.status).to.equal(302);
      answer.discard();
    }
    expect(asked).to.deep.equal(['/to/302/file', '/to/302/']);
  });
});
