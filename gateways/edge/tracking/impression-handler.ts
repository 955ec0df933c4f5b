import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { ImpressionIngest } from '#edge/impressions/impression-ingest';
import type { Random } from '#runtime/ports/random';
import { ApiError } from '../../errors.ts';
import { endWithText } from '../../http/end-with-text.ts';
import { requestIdOf } from '../../http/request-id.ts';
import { impressionCallerOf } from './caller-of.ts';
import { PIXEL } from './pixel.ts';

/** Calls whose impression could be recorded nowhere: they need only an answer. */
const refusedCalls = new WeakSet<IncomingMessage>();

/**
 * `GET /track/impression`: the GIF, with 200, whatever the call's outcome, so that callers cannot learn from it which
 * URLs bill. The answer leaves when the impression is durable; 503 when it could be recorded nowhere. No key is needed.
 */
export function impressionHandler(ingest: Pick<ImpressionIngest, 'take'>, trustProxyHops: number): Middleware {
  return async (ctx) => {
    // A router serves HEAD with GET's handler; HEAD is safe (RFC 9110 §9.2.1), and this bills.
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new ApiError('METHOD_NOT_ALLOWED');
    }
    const outcome = refusedCalls.has(ctx.req)
      ? 'refused'
      : await ingest.take(ctx.querystring, impressionCallerOf(ctx.req, trustProxyHops));
    if (outcome === 'refused') throw new ApiError('SERVICE_UNAVAILABLE');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'image/gif';
    ctx.body = PIXEL;
  };
}

const PATH = '/track/impression?';
/** The GIF as text: headers and a text leave in one string and one write, headers and bytes in two. */
const PIXEL_TEXT = PIXEL.toString('latin1');
const PIXEL_LENGTH = String(PIXEL.length);

/**
 * Answers the plain call of the pixel, the busiest of all, as {@link impressionHandler} does but without Koa, which
 * costs more than the log. All other calls go to `others`: other paths, methods and forms of the URL, calls by a page's
 * script (CORS), and impressions that were recorded nowhere.
 */
export function servePixelOutsideKoa(
  ingest: Pick<ImpressionIngest, 'take'>,
  random: Random,
  trustProxyHops: number,
  others: RequestListener,
): RequestListener {
  return (request, response) => {
    const { method, url = '', headers } = request;
    const isPlain = method === 'GET' && url.startsWith(PATH) && !url.includes('#') && headers.origin === undefined;
    if (!isPlain) return others(request, response);
    void ingest.take(url.slice(PATH.length), impressionCallerOf(request, trustProxyHops)).then(
      (outcome) => {
        if (outcome !== 'refused') return answerPixel(request, response, random);
        refusedCalls.add(request);
        others(request, response);
      },
      // Errors in here are answered and logged there, and must not end the process.
      () => others(request, response),
    );
  };
}

function answerPixel(request: IncomingMessage, response: ServerResponse, random: Random): void {
  // The caller has hung up.
  if (response.socket?.writable === false) return;
  response.writeHead(200, [
    'X-Request-Id',
    requestIdOf(request, random),
    'Cache-Control',
    'no-store',
    'Content-Type',
    'image/gif',
    'Content-Length',
    PIXEL_LENGTH,
  ]);
  endWithText(response, PIXEL_TEXT, 'latin1');
}
