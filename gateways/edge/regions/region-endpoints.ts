import type { Context, Middleware } from 'koa';
import { regionList } from '../../http/region-list.ts';
import type { EdgeSettings } from '../settings.ts';

/**
 * `GET /api/regions` at an edge: what the API answers at the same path, for pages and programs that know an edge alone.
 * It is the same for every origin, so that caches keep one, and no cookie goes with it.
 */
export function answerRegions({ region, regionUrls }: Pick<EdgeSettings, 'region' | 'regionUrls'>): Middleware {
  const list = JSON.stringify(regionList(region, regionUrls));
  return async (ctx: Context) => {
    forEveryPage(ctx);
    ctx.set('Cache-Control', 'public, max-age=60');
    ctx.type = 'application/json';
    ctx.body = list;
  };
}

/**
 * `GET /ping`: 204 and nothing else, for callers that measure how far an edge is. Pages of any origin may call it and
 * read its times (Resource Timing, `Timing-Allow-Origin`).
 */
export async function answerPing(ctx: Context): Promise<void> {
  forEveryPage(ctx);
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Timing-Allow-Origin', '*');
  ctx.status = 204;
}

function forEveryPage(ctx: Context): void {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  ctx.set('X-Content-Type-Options', 'nosniff');
}
