import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import Router from '@koa/router';
import { send } from '@koa/send';
import etag from 'etag';
import type { Context } from 'koa';
import { isNotModified } from '../../http/if-none-match.ts';
import type { ManagementSettings } from '../settings.ts';
import { docsPage, startScript } from './page.ts';

/** The files of the viewer that the page needs; no others are served. */
const viewerFiles: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const yearMs = 31_536_000_000;

/**
 * Serves `GET /docs`, the API's description for people, with a viewer that is installed with the exchange; the page
 * loads nothing from other hosts. The paths of the viewer's files contain its version, so the files may be cached for
 * ever.
 */
export function docsPages({ publicBaseUrl }: Pick<ManagementSettings, 'publicBaseUrl'>): Router {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const assets = `/docs/${version}`;
  const page = docsPage(assets);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    // Swagger UI writes style attributes into its markup.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    // Requests that a reader tries out go to the server that the description names.
    `connect-src 'self' ${new URL(publicBaseUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

  const router = new Router({ sensitive: true });
  router.get('/docs', (ctx) => {
    ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'public, max-age=300' });
    ctx.type = 'html';
    answer(ctx, page);
  });
  // These redirects serve programs, and installations without a dashboard.
  for (const path of ['/', '/api']) router.get(path, (ctx) => ctx.redirect('/docs'));
  router.get(`${assets}/start.js`, (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.type = 'js';
    answer(ctx, startScript);
  });
  router.get(`${assets}/:file`, async (ctx) => {
    const { file = '' } = ctx.params;
    if (!viewerFiles.has(file)) return;
    ctx.remove('Cache-Control');
    ctx.compress = true;
    await send(ctx, file, { root: dirname(manifest), maxage: yearMs, immutable: true });
  });
  return router;
}

/** Answers a page, compressed; 304 to a caller that already has it. */
function answer(ctx: Context, text: string): void {
  ctx.set('ETag', etag(text, { weak: true }));
  ctx.compress = true;
  ctx.body = text;
  if (isNotModified(ctx)) ctx.status = 304;
}
