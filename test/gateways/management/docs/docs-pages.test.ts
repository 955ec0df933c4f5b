import { request } from 'node:http';
import { expect } from 'chai';
import { type RunningManagement, startManagement } from '../running-management.ts';

describe('gateways/management/docs', () => {
  let running: RunningManagement;
  let page: string;
  before(async function () {
    running = await startManagement(this);
    page = await (await fetch(`${running.baseUrl}/docs/api`)).text();
  });
  after(() => running.close());

  const links = () => [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
  const referenced = () => links().filter((path) => path.startsWith('/docs/'));

  it('is a public page, with a policy under which nothing comes from elsewhere', async () => {
    const answer = await fetch(`${running.baseUrl}/docs/api`);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.include('text/html');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).to.include("default-src 'none'").and.include("script-src 'self';");
    expect(policy).not.to.include('*');
    expect(page).not.to.match(/<script>|\son\w+=|https?:\/\//);
  });

  it('names the description in a form for programs, and leads to the documentation', () => {
    expect(links()).to.include.members(['/api/openapi.json', '/docs']);
  });

  it('has every file that the page refers to, to be kept for ever where its path has a version', async () => {
    expect(referenced()).to.have.length(4);
    for (const path of referenced()) {
      const answer = await fetch(`${running.baseUrl}${path}`);
      expect(answer.status, path).to.equal(200);
      expect(await answer.text(), path).not.to.equal('');
      const kept = path.endsWith('start.js') ? 'public, max-age=300' : 'max-age=31536000,immutable';
      expect(answer.headers.get('cache-control'), path).to.equal(kept);
    }
    const script = await (
      await fetch(`${running.baseUrl}${referenced().find((path) => path.endsWith('start.js'))}`)
    ).text();
    expect(script).to.include("'/api/openapi.json'");
  });

  it('has no other file, whatever way it is asked for', async () => {
    const folder = referenced()[0]!.replace(/[^/]+$/, '');
    const { hostname, port } = new URL(running.baseUrl);
    /** Sends the path as it is: `fetch` would tidy it up. */
    const statusOf = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const asking = request({ hostname, port, path }, (answer) => {
          answer.resume();
          resolve(answer.statusCode!);
        });
        asking.once('error', reject);
        asking.end();
      });
    for (const file of [
      'package.json',
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '',
      '.',
      '%00',
    ]) {
      expect(await statusOf(`${folder}${file}`), file).to.equal(404);
    }
  });

  it('lets nobody keep that a file is not there', async () => {
    for (const path of ['/docs/nothing', '/docs/images/nothing.svg', '/docs/0.0.0/swagger-ui.css']) {
      const answer = await fetch(`${running.baseUrl}${path}`);
      expect([answer.status, answer.headers.get('cache-control')], path).to.deep.equal([404, 'no-store']);
    }
  });

  it('is where / and /api lead', async () => {
    for (const path of ['/', '/api']) {
      const answer = await fetch(`${running.baseUrl}${path}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')], path).to.deep.equal([302, '/docs']);
    }
  });

  it('answers 405 to what is no reading', async () => {
    const answer = await running.anonymous.post('/docs');
    expect([answer.status, answer.body.error.code]).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
  });
});
