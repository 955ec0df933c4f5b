import type { Context } from 'koa';
import type { Random } from '../../runtime/ports/random.ts';

const saneForm = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's own `X-Request-Id` when it is harmless in a log line, else a new one. Answered on every response. */
export function requestIdOf(ctx: Context, random: Random): string {
  const given = ctx.get('X-Request-Id');
  return saneForm.test(given) ? given : random.id();
}
