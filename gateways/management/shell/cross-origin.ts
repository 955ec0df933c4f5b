import cors from '@koa/cors';
import type { Middleware } from 'koa';
import type { ManagementSettings } from '../settings.ts';
import { originRules } from './own-origins.ts';

const preflightS = 600;

/** Request headers that callers send in addition to those that browsers always allow. */
const requestHeaders = [
  'Content-Type',
  'X-API-Key',
  'Authorization',
  'X-Sandbox',
  'X-User-Partner-ID',
  'X-Request-Id',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
] as const;

/** Headers of answers that pages of other origins may read. */
const exposedHeaders = [
  'ETag',
  'Link',
  'Retry-After',
  'Warning',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/**
 * CORS for the exchange's own domain and for listed origins. Other origins get no CORS headers, so browsers do not let
 * them read the answer. Only whole trusted origins may send cookies: a page of another host of the domain must send a
 * key.
 */
export function crossOrigin(settings: ManagementSettings): Middleware {
  const { isOwn, isTrusted } = originRules(settings);
  return cors({
    origin: (ctx) => (isOwn(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: (ctx) => isTrusted(ctx.get('Origin')),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: [...requestHeaders],
    exposeHeaders: [...exposedHeaders],
    maxAge: preflightS,
    // The headers are set on the answer before anything can fail, and stay there.
    keepHeadersOnError: false,
  });
}
