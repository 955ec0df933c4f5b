/** The parameter of a tracking URL that names the trace of its auction. */
export const TRACE_PARAMETER = 'trace';

const TRACE = /(?:^|&)trace=([0-9a-f-]{55})(?:&|$)/;

/** The trace context in the query of a tracking URL; undefined where there is none. */
export function traceIn(query: string): string | undefined {
  return TRACE.exec(query)?.[1];
}
