import { type Span, type Tracer, traceOf } from '../ports/tracer.ts';
import type { Envelope } from './envelope.ts';

/** Begins the span of the handling of a message that names a trace; null for one that names none. */
export function handlingSpan({ to, type, body }: Envelope, tracer: Tracer): Span | null {
  const traceparent = traceOf(body);
  if (traceparent === undefined) return null;
  const span = tracer.follow(`${to.slice(0, to.indexOf('/'))} ${type}`, 'consumer', traceparent);
  span?.set('exchange.actor', to);
  return span;
}
