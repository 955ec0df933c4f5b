import { mkdtemp, rm } from 'node:fs/promises';
import { request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Koa from 'koa';
import { docsPages } from '#gateways/management/docs/docs-pages';
import { buildSite } from '#test/documentation/site/build-site';

const settings = { publicBaseUrl: 'http://localhost:8080' };

describe('gateways/management/docs/site', () => {
  let outDir: string;
  let server: Server;
  let port: number;
  before(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'site-'));
    buildSite(outDir);
    ({ server, port } = await serve(join(outDir, 'docs')));
  });
  after(async () => {
    server.close();
    await rm(outDir, { recursive: true, force: true });
  });

  const get = (path: string, headers = {}) => fetch(`http://localhost:${port}${path}`, { headers });

  it('has its home at /docs, which leads to the description of the API', async () => {
    const answer = await get('/docs');
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(await answer.text()).to.include('href="/docs/api"');
    expect((await get('/docs/')).status).to.equal(200);
    expect(await (await get('/docs/api')).text()).to.include('swagger-ui');
  });

  it('serves a page by its name, and says to who has it already that it is the same', async () => {
    const page = await get('/docs/tutorial/publisher');
    expect(await page.text()).to.include('<h1 id=');
    expect(page.headers.get('cache-control')).to.equal('public, max-age=300');
    expect((await get('/docs/tutorial/publisher/')).status).to.equal(200);
    const again = await get('/docs/tutorial/publisher', { 'If-None-Match': page.headers.get('etag')! });
    expect(again.status).to.equal(304);
  });

  it('lets browsers keep for ever what is named by its hash, pictures for an hour', async () => {
    const [, style] = /href="([^"]+\.css)"/.exec(await (await get('/docs')).text())!;
    expect((await get(style!)).headers.get('cache-control')).to.equal('max-age=31536000,immutable');
    expect((await get('/docs/images/overview.svg')).headers.get('cache-control')).to.equal('max-age=3600');
  });

  it('tells people with a page, and programs without, that a page is not there', async () => {
    const toPerson = await get('/docs/nothing', { Accept: 'text/html' });
    expect([toPerson.status, toPerson.headers.get('cache-control')]).to.deep.equal([404, 'no-store']);
    expect(await toPerson.text()).to.include('There is no such page');
    const toProgram = await get('/docs/nothing');
    expect([toProgram.status, await toProgram.text()]).to.deep.equal([404, 'Not Found']);
    expect((await get('/docs/images/nothing.svg')).status).to.equal(404);
  });

  it('gives away no other file, whatever way it is asked for', async () => {
    /** Sends the path as it is: `fetch` would tidy it up. */
    const statusOf = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const asking = request({ port, path }, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        });
        asking.once('error', reject);
        asking.end();
      });
    for (const path of [
      '.made-of',
      'index',
      '404',
      'index.html',
      'tags.html',
      'assets',
      'assets/',
      '../main.js',
      '..%2fmain.js',
      '%2e%2e/package.json',
      'images/../../package.json',
      'tutorial/%00',
      '%',
      '//',
    ]) {
      expect(await statusOf(`/docs/${path}`), path).to.be.oneOf([400, 404]);
    }
  });

  it('leaves /docs to the description of the API where the site was not built', async () => {
    const bare = await serve(join(outDir, 'nothing'));
    const page = await (await fetch(`http://localhost:${bare.port}/docs`)).text();
    expect(page).to.include('swagger-ui');
    bare.server.close();
  });
});

async function serve(folder: string): Promise<{ readonly server: Server; readonly port: number }> {
  const app = new Koa();
  app.silent = true;
  const server = app.use(docsPages({ settings, folder }).routes()).listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}
