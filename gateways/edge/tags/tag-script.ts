import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants, gzipSync } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import type { RegionAddress } from '#exchange/region';
import { isNotModified } from '../../http/if-none-match.ts';
import { takesGzip } from '../../http/takes-gzip.ts';

/** Built from the modules beside it (scripts/build.mjs). */
const SCRIPT = new URL('./tag-js/tag.js', import.meta.url);
const KEPT_S = 3_600;
/** What the script calls its regions, which stand here in its place (tag-js/regions-of-page.ts). */
const REGIONS_NAME = 'EXCHANGE_REGIONS';

/**
 * `GET /tag.js`: the JS tag, cached for an hour and then revalidated by its ETag (RFC 9110 §8.8.3). It knows the
 * regions that it may choose among from the beginning, so that it asks nobody for them.
 */
export function tagScript(regions: readonly RegionAddress[]): Middleware {
  const script = Buffer.from(withRegions(readFileSync(SCRIPT, 'utf8'), regions));
  const compressed = gzipSync(script, { level: constants.Z_BEST_COMPRESSION });
  // A weak ETag: the bytes depend on the content coding.
  const etag = `W/"${createHash('sha256').update(script).digest('base64url').slice(0, 22)}"`;

  return async (ctx: Context) => {
    ctx.status = 200;
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', `public, max-age=${KEPT_S}`);
    ctx.vary('Accept-Encoding');
    // For `<script crossorigin>`, and for pages that admit only resources with this header.
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (isNotModified(ctx)) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'text/javascript; charset=utf-8';
    if (takesGzip(ctx)) {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = compressed;
    } else ctx.body = script;
  };
}

/** Where there is one region alone, there is nothing to choose. */
function withRegions(script: string, regions: readonly RegionAddress[]): string {
  const listed = regions.length < 2 ? [] : regions.map(({ code, url }) => [code, `${url}/`]);
  if (!script.includes(REGIONS_NAME)) throw new Error(`tag.js has no ${REGIONS_NAME}: build it again`);
  // A function, since a text in its place would be searched for `$&` and the like.
  return script.replaceAll(REGIONS_NAME, () => JSON.stringify(listed));
}
