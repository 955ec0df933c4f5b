import { type ErrorCode, errorCatalogue } from '../../errors.ts';
import type { AnyRoute } from '../routing/route.ts';
import { commonHeaders, type HeaderName, headerReferences } from './components.ts';
import type { Reference, Response } from './document.ts';

/**
 * All errors that a route can answer: those that follow from its shape, and those that it lists. The account and the
 * context are checked before the route is found, so FORBIDDEN can occur even where no key is needed.
 */
export function errorsOf(route: AnyRoute): ErrorCode[] {
  const changes = route.method !== 'GET';
  const codes = new Set<ErrorCode>(['INVALID_PARAMS', 'FORBIDDEN', 'RATE_LIMITED']);
  if (route.access !== 'public') codes.add('UNAUTHORIZED');
  if (route.params !== undefined) codes.add('NOT_FOUND');
  if (route.body !== undefined) {
    for (const code of ['INVALID_JSON', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) {
      codes.add(code);
    }
  }
  if (route.revised && changes) codes.add('CONFLICT');
  if (takesIfMatch(route)) codes.add('PRECONDITION_FAILED');
  for (const code of route.errors ?? []) codes.add(code);
  for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] as const) codes.add(code);
  const inOrder = Object.keys(errorCatalogue) as ErrorCode[];
  return inOrder.filter((code) => codes.has(code));
}

/**
 * Whether the route takes `If-Match`. A route that creates a resource does not, since no caller can know a revision of
 * it.
 */
export function takesIfMatch(route: AnyRoute): boolean {
  if (route.revised !== true || route.method === 'GET') return false;
  return route.method !== 'POST' || route.params !== undefined;
}

/** Status → the component of that status. Each set of codes that a route answers with one status has one component. */
export function errorAnswers(route: AnyRoute): Record<string, Reference> {
  const byStatus = codesByStatus(route).map(([status, codes]) => [status, { $ref: referenceTo(codes) }] as const);
  return Object.fromEntries(byStatus);
}

/** The components that the answers of `routes` refer to. */
export function errorComponents(routes: readonly AnyRoute[]): Record<string, Response> {
  const all = routes.flatMap(codesByStatus).map(([, codes]) => [nameOf(codes), errorAnswer(codes)] as const);
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function codesByStatus(route: AnyRoute): [status: string, codes: ErrorCode[]][] {
  const byStatus: Record<string, ErrorCode[]> = {};
  for (const code of errorsOf(route)) {
    const { status } = errorCatalogue[code];
    byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  return Object.entries(byStatus);
}

const nameOf = (codes: readonly ErrorCode[]) => codes.join('.');
const referenceTo = (codes: readonly ErrorCode[]) => `#/components/responses/${nameOf(codes)}`;

const retryableCodes = new Set<ErrorCode>(['RATE_LIMITED', 'BAD_GATEWAY', 'SERVICE_UNAVAILABLE']);

function errorAnswer(codes: readonly ErrorCode[]): Response {
  const own: HeaderName[] = [];
  if (codes.some((code) => retryableCodes.has(code))) own.push('Retry-After');
  if (codes.includes('UNAUTHORIZED')) own.push('WWW-Authenticate');
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: headerReferences([...commonHeaders, ...own]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const exampleDetails: Partial<Record<ErrorCode, object>> = {
  INVALID_PARAMS: { message: 'name is required.', field: 'name' },
  VALIDATION_ERROR: { message: 'floor_price_cpm must be >= 0.', field: 'floor_price_cpm' },
  STRATEGY_INVALID: {
    message: 'The value of a condition must be a string.',
    field: 'rules[2].conditions[0].value',
    errors: [{ field: 'rules[2].conditions[0].value', message: 'The value of a condition must be a string.' }],
  },
  RATE_LIMITED: { reset_at: 1_767_225_660 },
};

function exampleOf(code: ErrorCode): object {
  const { message } = errorCatalogue[code];
  return { error: { code, message, ...exampleDetails[code], request_id: 'wX4nL0p8Qm2tYbV6cZ1aRg' } };
}
