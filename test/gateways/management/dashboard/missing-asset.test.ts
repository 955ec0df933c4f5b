import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Koa from 'koa';
import { dashboardPages } from '#gateways/management/dashboard/dashboard-pages';
import { defaultManagementSettings } from '#gateways/management/settings';
import { SILENT } from '#runtime/node/logger';

describe('files of the dashboard', () => {
  let folder: string;
  let server: Server;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'assets', 'page.0a1b.js'), 'export {};');
    const app = new Koa();
    app.silent = true;
    app.use(dashboardPages({ settings: { ...defaultManagementSettings, dashboard: true }, logger: SILENT, folder }));
    await new Promise<void>((resolve) => {
      server = app.listen(0, '127.0.0.1', resolve);
    });
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  it('are kept for ever, named by their hash', async () => {
    const { status, headers } = await get('/assets/page.0a1b.js');
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'max-age=31536000,immutable']);
  });

  it('that are not there, as after an upgrade, are 404, and nobody keeps that', async () => {
    const { status, headers } = await get('/assets/page.ffff.js');
    expect([status, headers.get('cache-control')]).to.deep.equal([404, 'no-store']);
  });
});
