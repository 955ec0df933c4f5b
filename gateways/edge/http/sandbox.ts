import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';

/** Whether the caller asks for the sandbox: `X-Sandbox: true` or `?sandbox=true`. */
export function asksForSandbox(ctx: Context): boolean {
  if (ctx.req.headers['x-sandbox'] === 'true') return true;
  const { search } = ctx;
  if (!search.includes('sandbox')) return false;
  const stated = new URLSearchParams(search).get('sandbox');
  if (stated === null || stated === 'false' || stated === '') return false;
  if (stated === 'true') return true;
  throw new ApiError('INVALID_PARAMS', 'sandbox must be true or false.', 'sandbox');
}
