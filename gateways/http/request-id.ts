import type { Context } from 'koa';
import type { Random } from '../../runtime/ports/random.ts';

const saneForm = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's `X-Request-Id` when it is harmless in a log line, otherwise a new id. Every response carries it. */
export function requestIdOf(ctx: Context, random: Random): string {
  return requestIdFrom(ctx.get('X-Request-Id'), random);
}

/** `given` is the caller's header, or '' when absent. */
export function requestIdFrom(given: string, random: Random): string {
  return saneForm.test(given) ? given : random.id();
}
