import type { Context } from 'koa';

/** The address that a request came from, as the outermost of our own proxies saw it; IPv4 without its IPv6 form. */
export function addressOf(ctx: Context): string {
  return ctx.ip.replace(/^::ffff:(?=\d+\.)/, '');
}
