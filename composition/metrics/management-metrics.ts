import type { Registry } from 'prom-client';
import type { AnswerObserver } from '../../gateways/management/shell/observe-answers.ts';
import { DurationHistogram } from './duration-histogram.ts';

/** Few, as there are some hundred routes. */
const API_BOUNDS_MS = [5, 25, 100, 250, 500, 1_000, 2_500, 5_000];

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/**
 * Exports how long calls of the management API took. A route is its pattern; what no route has, pages of the dashboard
 * too, is `none`.
 */
export function managementMetrics(registry: Registry): AnswerObserver {
  const seconds = new DurationHistogram(registry, {
    name: 'exchange_api_request_seconds',
    help: 'Time of calls of the management API, by the pattern of the route, method and class of status',
    labelNames: ['route', 'method', 'status'],
    boundsMs: API_BOUNDS_MS,
  });
  return (route, method, status, ms) =>
    seconds.of(route ?? 'none', METHODS.has(method) ? method : 'other', `${Math.floor(status / 100)}xx`).observe(ms);
}
