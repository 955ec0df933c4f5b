import {
  context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { isSampledContext, isTraceContext, type Span, type SpanRole, type Tracer } from '../../ports/tracer.ts';

export interface TracerOptions {
  /** Where spans are posted to, by OTLP over HTTP: `http://collector:4318/v1/traces`. */
  readonly url: string;
  /** Of a million requests without a caller's decision, so many are sampled. */
  readonly perMillion: number;
  /** Attributes of this process, by OpenTelemetry's names. */
  readonly process: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly random: Pick<Random, 'next'>;
}

/** The most traces that one process begins or joins in a second: callers may sample all of their requests. */
const MOST_TRACES_PER_SECOND = 50;
const EXPORT_MS = 5_000;
const ROOT = context.active();
const ROLES: Readonly<Record<SpanRole, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Traces by OpenTelemetry's SDK, in batches in the background. Spans that cannot be sent are dropped. */
export class OpenTelemetryTracer implements Tracer {
  readonly #options: TracerOptions;
  readonly #provider: BasicTracerProvider;
  readonly #tracer: OtelTracer;
  #secondMs = Number.NEGATIVE_INFINITY;
  #begun = 0;

  constructor(options: TracerOptions) {
    this.#options = options;
    const exporter = new OTLPTraceExporter({ url: options.url, timeoutMillis: EXPORT_MS });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes(options.process),
      spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: EXPORT_MS })],
    });
    this.#tracer = this.#provider.getTracer('ad-exchange');
  }

  request(name: string, traceparent: string | undefined): Span | null {
    const parent = traceparent === undefined ? undefined : parsed(traceparent);
    // A caller that traces the request and does not sample it has decided; what is no trace context decides nothing.
    if (parent === undefined && traceparent !== undefined && isTraceContext(traceparent)) return null;
    if (parent === undefined && this.#options.random.next() * 1_000_000 >= this.#options.perMillion) return null;
    return this.#hasRoom() ? this.#begin(name, 'server', parent) : null;
  }

  follow(name: string, role: SpanRole, traceparent: string): Span | null {
    const parent = parsed(traceparent);
    return parent === undefined || !this.#hasRoom() ? null : this.#begin(name, role, parent);
  }

  async close(): Promise<void> {
    await this.#provider.shutdown().catch(() => undefined);
  }

  #begin(name: string, role: SpanRole, parent: SpanContext | undefined): Span {
    const within = parent === undefined ? ROOT : trace.setSpanContext(ROOT, parent);
    return new RecordedSpan(this.#tracer, this.#tracer.startSpan(name, { kind: ROLES[role] }, within));
  }

  #hasRoom(): boolean {
    const nowMs = this.#options.clock.monotonic();
    if (nowMs - this.#secondMs >= 1_000) {
      this.#secondMs = nowMs;
      this.#begun = 0;
    }
    return ++this.#begun <= MOST_TRACES_PER_SECOND;
  }
}

class RecordedSpan implements Span {
  readonly traceparent: string;
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;

  constructor(tracer: OtelTracer, span: OtelSpan) {
    const { traceId, spanId } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-01`;
    this.#tracer = tracer;
    this.#span = span;
  }

  set(name: string, value: string | number | boolean): void {
    this.#span.setAttribute(name, value);
  }

  child(name: string, role: SpanRole): Span {
    const span = this.#tracer.startSpan(name, { kind: ROLES[role] }, trace.setSpan(ROOT, this.#span));
    return new RecordedSpan(this.#tracer, span);
  }

  end(failure?: string): void {
    if (failure !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    this.#span.end();
  }
}

/** Undefined for what is no sampled trace context. */
function parsed(traceparent: string): SpanContext | undefined {
  if (!isSampledContext(traceparent)) return undefined;
  const [, traceId, spanId] = traceparent.split('-') as [string, string, string, string];
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}
