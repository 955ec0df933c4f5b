import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { sendFile } from '../shell/send-file.ts';
import { answerPage } from './answer-page.ts';

/** The folder into which the build writes the documentation, beside the compiled gateways. */
export const SITE_FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));
const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;
/** The path of a page, below the site: folders and a name, without a dot, so that none leads out of it. */
const PAGE = /^(?:[\w-]+\/)*[\w-]+$/;
/** The path of a picture, or of a file whose name has its hash. */
const FILE = /^(?:[\w-]+\/)*[\w-]+\.(?:css|js|json|png|svg|txt)$/;
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Serves the built documentation under `/docs`, each file from the disk when it is asked for: pages by their name
 * without `.html`. People who ask for a page that is not there are told so by one. Returns whether it was built.
 */
export function addSite(router: Router, folder: string): boolean {
  if (!existsSync(join(folder, 'index.html'))) return false;

  const show = async (ctx: Context, page: string): Promise<boolean> => {
    const text = await readFile(join(folder, `${page}.html`), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return false;
    ctx.set('Content-Security-Policy', POLICY);
    answerPage(ctx, text);
    return true;
  };

  router.get('/docs', async (ctx) => {
    await show(ctx, 'index');
  });
  router.get('/docs/*path', async (ctx) => {
    const path = ctx.path.slice('/docs/'.length).replace(/\/$/, '');
    if (FILE.test(path)) return serveFile(ctx, folder, path);
    if (PAGE.test(path) && path !== 'index' && path !== '404' && (await show(ctx, path))) return;
    if (!ctx.get('Accept').includes('text/html')) return;
    await show(ctx, '404');
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 404;
  });
  return true;
}

/** Names of scripts, styles and what search reads contain their hash, so they may be kept for ever. */
async function serveFile(ctx: Context, root: string, path: string): Promise<void> {
  const hashed = path.startsWith('assets/');
  ctx.compress = true;
  await sendFile(ctx, path, { root, maxage: hashed ? YEAR_MS : HOUR_MS, immutable: hashed });
}
