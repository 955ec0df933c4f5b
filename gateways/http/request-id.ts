import type { Context } from 'koa';
import type { Random } from '../../runtime/ports/random.ts';

const saneForm = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's own `X-Request-Id` when it is harmless in a log line, else a new one. Answered on every response. */
export function requestIdOf(ctx: Context, random: Random): string {
  return requestIdFrom(ctx.get('X-Request-Id'), random);
}

/** `given`: the caller's header, '' for none. */
export function requestIdFrom(given: string, random: Random): string {
  return saneForm.test(given) ? given : random.id();
}
