import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { fetchRates } from '#gateways/currency/fetch-rates';

const DOCUMENT = { dataAsOf: '2026-03-14T00:00:00.000Z', conversions: { EUR: { USD: 1.25 } } };
const RATES = { asOf: '2026-03-14T00:00:00.000Z', dollarsPerUnit: { EUR: 1.25 } };

describe('the source of currency rates', () => {
  let folder: string;
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rates-'));
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const never = new AbortController().signal;
  const failure = (url: string, signal = never) =>
    fetchRates(url, signal).then(
      () => expect.fail('it was read'),
      (error: Error) => error,
    );

  it('is a file', async () => {
    const path = join(folder, 'rates.json');
    await writeFile(path, JSON.stringify(DOCUMENT));
    expect(await fetchRates(pathToFileURL(path).href, never)).to.deep.equal(RATES);
    expect((await failure(pathToFileURL(join(folder, 'none.json')).href)).message).to.contain('ENOENT');
  });

  it('is a URL, redirects followed', async () => {
    answer = ({ url }, response) => {
      if (url === '/moved') response.writeHead(302, { location: '/latest.json' }).end();
      else response.end(JSON.stringify(DOCUMENT));
    };
    expect(await fetchRates(`${origin}/moved`, never)).to.deep.equal(RATES);
  });

  it('is told the user name and password of its URL, which no other origin and no error is', async () => {
    const other = createServer((request, response) => {
      told.push(request.headers.authorization);
      response.end(JSON.stringify(DOCUMENT));
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const told: (string | undefined)[] = [];
    answer = ({ url, headers }, response) => {
      told.push(headers.authorization);
      if (url === '/moved') response.writeHead(302, { location: elsewhere }).end();
      else if (url === '/none') response.writeHead(401).end();
      else response.end(JSON.stringify(DOCUMENT));
    };
    const withUser = (user: string, path = '') => `${origin}/${path}`.replace('://', `://${user}@`);
    const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;
    try {
      expect(await fetchRates(withUser('desk:s%40cret%'), never)).to.deep.equal(RATES);
      expect(await fetchRates(withUser(':token'), never)).to.deep.equal(RATES);
      expect(await fetchRates(withUser('desk:s3cret', 'moved'), never)).to.deep.equal(RATES);
      expect(told).to.deep.equal([basic('desk:s@cret%'), basic(':token'), basic('desk:s3cret'), undefined]);
      const failures = [await failure(withUser('desk:s3cret', 'none'))];
      failures.push(await failure(withUser('desk:s3cret').replace(/:\d+\//, ':1/')));
      for (const error of failures) expect(`${error.stack} ${error.cause}`).to.not.contain('s3cret');
      expect(failures[0]!.message).to.equal('the source answered 401');
    } finally {
      other.closeAllConnections();
      other.close();
    }
  });

  it('is refused where it answers an error, no JSON, or too much', async () => {
    answer = (_request, response) => response.writeHead(500).end('{}');
    expect((await failure(origin)).message).to.equal('the source answered 500');
    answer = (_request, response) => response.end('<html>');
    expect((await failure(origin)).message).to.equal('the document is no JSON');
    answer = (_request, response) => {
      for (let written = 0; written < 6; written++) response.write(Buffer.alloc(1024 * 1024, ' '));
      response.end('{}');
    };
    expect((await failure(origin)).message).to.contain('has more than');
  });

  it('is given up with the signal', async () => {
    const giveUp = new AbortController();
    answer = () => giveUp.abort(new Error('the duty ends'));
    expect((await failure(origin, giveUp.signal)).message).to.equal('the duty ends');
  });
});
