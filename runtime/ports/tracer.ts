/** What a span stands for, as OpenTelemetry names it. */
export type SpanRole = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** One step of a sampled request. */
export interface Span {
  /** The W3C trace context, for whoever does the next step: `00-<trace>-<span>-01`. */
  readonly traceparent: string;
  set(name: string, value: string | number | boolean): void;
  child(name: string, role: SpanRole): Span;
  /** Ends it, once; `failure` says what went wrong. */
  end(failure?: string): void;
}

/**
 * Records what is done for single requests, over all processes. A process that records nothing has no tracer, so that
 * the steps of a request cost a comparison with null.
 */
export interface Tracer {
  /**
   * Begins the trace of a request, or goes on with the caller's. Null for a request that is not sampled: the caller
   * does not sample it, or chance does not, or too many are.
   */
  request(name: string, traceparent: string | undefined): Span | null;
  /** Goes on with a trace of this exchange, in another process or later. Null for what is no trace context. */
  follow(name: string, role: SpanRole, traceparent: string): Span | null;
  /** Sends what is recorded, within a few seconds. */
  close(): Promise<void>;
}

/** A sampled W3C trace context of version 00. */
const SAMPLED = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f][13579bdf]$/;

/** Whether the text is a trace context that its writer samples. */
export function isSampledContext(traceparent: string): boolean {
  return SAMPLED.test(traceparent);
}

/** A W3C trace context of version 00, sampled or not. */
const CONTEXT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function isTraceContext(traceparent: string): boolean {
  return CONTEXT.test(traceparent);
}

/** The trace that a message's body names in its field `trace`. */
export function traceOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { trace } = body as { readonly trace?: unknown };
  return typeof trace === 'string' ? trace : undefined;
}
