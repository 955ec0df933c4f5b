import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ManagementSettings } from '../settings.ts';
import { sendFile } from '../shell/send-file.ts';
import { answerPage } from './answer-page.ts';
import { docsPage, startScript } from './page.ts';

/** The files of the viewer that the page needs; no others are served. */
const viewerFiles: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const yearMs = 31_536_000_000;

/**
 * Serves `GET /docs/api`, the API's description for people, with a viewer that is installed with the exchange. The
 * paths of the viewer's files contain its version, so the files may be cached for ever. Returns what answers that page,
 * for further paths.
 */
export function addApiReference(
  router: Router,
  { publicBaseUrl }: Pick<ManagementSettings, 'publicBaseUrl'>,
): (ctx: Context) => void {
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
  const show = (ctx: Context): void => {
    ctx.set('Content-Security-Policy', policy);
    answerPage(ctx, page);
  };

  router.get('/docs/api', show);
  router.get(`${assets}/start.js`, (ctx) => answerPage(ctx, startScript, 'js'));
  router.get(`${assets}/:file`, async (ctx) => {
    const { file = '' } = ctx.params;
    if (!viewerFiles.has(file)) return;
    ctx.compress = true;
    await sendFile(ctx, file, { root: dirname(manifest), maxage: yearMs, immutable: true });
  });
  return show;
}
