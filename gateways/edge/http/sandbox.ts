import type { Context } from 'koa';
import { ApiError } from '../../errors.ts';

/**
 * Whether the caller asks for the sandbox: `X-Sandbox: true` or `?sandbox=true`. Throws INVALID_PARAMS for a value that
 * is neither true nor false: a misspelled sandbox request must not be sold as live traffic.
 */
export function asksForSandbox(ctx: Context): boolean {
  const byHeader = readSwitch(ctx.req.headers['x-sandbox'], 'X-Sandbox');
  const { search } = ctx;
  if (!search.includes('sandbox')) return byHeader;
  return readSwitch(new URLSearchParams(search).get('sandbox'), 'sandbox') || byHeader;
}

function readSwitch(stated: string | string[] | null | undefined, name: string): boolean {
  if (stated === undefined || stated === null || stated === '' || stated === 'false') return false;
  if (stated === 'true') return true;
  throw new ApiError('INVALID_PARAMS', `${name} must be true or false.`, name);
}
