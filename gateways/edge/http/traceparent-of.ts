import type { Context } from 'koa';

/** The caller's W3C trace context; undefined where it sends none. */
export function traceparentOf({ req }: Pick<Context, 'req'>): string | undefined {
  const { traceparent } = req.headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
}
