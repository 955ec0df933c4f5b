import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import type { Logger } from '#runtime/actor/logger';
import { readablePath } from '../../http/unreadable-url.ts';
import type { ManagementSettings } from '../settings.ts';
import { sendFile } from '../shell/send-file.ts';
import { dashboardContentSecurityPolicy } from './content-security-policy.ts';
import { isDashboardPath } from './page-paths.ts';

/** The folder into which the build writes the dashboard, beside the compiled gateways. */
const BUILD_FOLDER = fileURLToPath(new URL('../../../dashboard/', import.meta.url));
const YEAR_MS = 31_536_000_000;
const HOUR_MS = 3_600_000;
const NONCE_BYTES = 16;
/** The placeholder in the built page that each answer replaces by its own nonce. */
const NONCE_PLACE = '__CSP_NONCE__';
/** The path of one of the build's files: dots only before the hash and the extension, and no folders. */
const ASSET = /^\/assets\/[\w-]+(?:\.[\w-]+)*\.(?:js|css|woff2|svg|png)$/;

interface DashboardOptions {
  readonly settings: ManagementSettings;
  readonly logger: Logger;
  /** The folder of the built dashboard; tests pass another. */
  readonly folder?: string;
}

/**
 * Serves the dashboard under `/`: one page for all of its paths, to callers that ask for HTML, and the files of that
 * page. These answers hold no data of any account, read neither store nor log, and do not count for a rate limit. Where
 * the dashboard is off or was not built, the middleware serves nothing and the exchange still runs.
 */
export function dashboardPages({ settings, logger, folder = BUILD_FOLDER }: DashboardOptions): Middleware {
  const index = join(folder, 'index.html');
  if (!settings.dashboard) return (_, next) => next();
  if (!existsSync(index)) {
    logger.warn({ folder }, 'the dashboard was not built: `npm run build` builds it; the API is served without');
    return (_, next) => next();
  }
  const page = readFileSync(index, 'utf8');

  return async (ctx, next) => {
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!reads || readablePath(ctx) === null) return next();
    if (ASSET.test(ctx.path)) return serve(ctx, folder, { maxage: YEAR_MS, immutable: true });
    if (ctx.path === '/icon.svg') return serve(ctx, folder, { maxage: HOUR_MS, immutable: false });
    if (!isDashboardPath(ctx.path) || !asksForHtml(ctx)) return next();
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    ctx.set({ 'Content-Security-Policy': dashboardContentSecurityPolicy(settings, nonce), Vary: 'Accept' });
    ctx.type = 'html';
    ctx.body = page.replace(NONCE_PLACE, nonce);
  };
}

/** Serves a file. The build has compressed the larger files, so brotli or gzip is sent to callers that accept it. */
async function serve(
  ctx: Context,
  root: string,
  keep: { readonly maxage: number; readonly immutable: boolean },
): Promise<void> {
  ctx.vary('Accept-Encoding');
  await sendFile(ctx, ctx.path, { root, ...keep, brotli: true, gzip: true });
}

/**
 * Whether the caller asks for HTML: browsers do when a person opens a page; programs, which accept any type, do not.
 */
function asksForHtml(ctx: Context): boolean {
  return ctx.get('Accept').includes('text/html');
}
