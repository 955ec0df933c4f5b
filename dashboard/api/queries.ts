import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod } from 'openapi-typescript-helpers';
import { type DataContext, useDataContext } from '../app/data-context.ts';
import { randomId } from '../kit/random-id.ts';
import { api, contextHeaders } from './client.ts';
import { isPassing } from './fault.ts';
import type { paths } from './generated.d.ts';

type GetPath = PathsWithMethod<paths, 'get'>;
type ChangeMethod = 'post' | 'put' | 'patch' | 'delete';

/** The body that a successful answer of this operation has. */
export type AnswerBody<M extends HttpMethod, P extends keyof paths> =
  paths[P] extends Record<M, infer O>
    ? O extends { responses: infer R }
      ? BodyOf<R extends { 200: infer A } ? A : R extends { 201: infer A } ? A : never>
      : never
    : never;
type BodyOf<A> = A extends { content: { 'application/json': infer B } } ? B : undefined;

/** What an operation is given: parameters and body, as openapi-fetch takes them. */
export type InitOf<M extends HttpMethod, P extends keyof paths> = M extends keyof paths[P]
  ? MaybeOptionalInit<paths[P], M & keyof paths[P]>
  : never;

/** An answer with what its headers say of it. */
export interface Answer<B> {
  readonly body: B;
  /** The version of the resource, for `If-Match` of a change to it. */
  readonly etag: string | null;
  /** How many there are in all pages of a list. */
  readonly total: number | null;
}

interface AskOptions {
  /** Asked only while this holds. */
  readonly enabled?: boolean;
  /** Asked again so often, while the page is seen. */
  readonly everyMs?: number;
  /**
   * Shows the last answer of the same context while the next is on its way: for lists and periods that are paged
   * through.
   */
  readonly keep?: boolean;
  /** Another context than the one of the page. */
  readonly context?: DataContext;
}

type Caller = (path: string, init: object) => Promise<{ data?: unknown; response: Response }>;

async function call(
  method: string,
  path: string,
  init: object,
  context: DataContext,
  headers = {},
  signal?: AbortSignal,
) {
  const caller = api[method.toUpperCase() as 'GET'] as unknown as Caller;
  const { data, response } = await caller(path, {
    ...init,
    headers: { ...contextHeaders(context), ...headers },
    ...(signal && { signal }),
  });
  const total = response.headers.get('X-Total-Count');
  return { body: data, etag: response.headers.get('ETag'), total: total === null ? null : Number(total) };
}

/** The name under which an answer is kept: the context is a part of it, so that live and sandbox data never mix. */
export function answerKey(context: DataContext, path: string, init?: unknown): readonly unknown[] {
  return [context.sandbox, context.partner ?? null, path, init ?? null];
}

/** For `placeholderData`: the last answer stands in for the next one, unless it is of another context. */
export function keepInContext({ sandbox, partner }: DataContext) {
  return <A>(last: A | undefined, query?: { readonly queryKey: readonly unknown[] }): A | undefined =>
    query?.queryKey[0] === sandbox && query.queryKey[1] === (partner ?? null) ? last : undefined;
}

/** What a query of an answer is made of, for loaders and for components that ask several at once. */
export function answerQuery<P extends GetPath>(context: DataContext, path: P, init?: InitOf<'get', P>) {
  return {
    queryKey: answerKey(context, path, init),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('get', path, init ?? {}, context, {}, signal) as Promise<Answer<AnswerBody<'get', P>>>,
  };
}

/** Asks the API and keeps the answer; asked again when the window is looked at again. Its faults are `ApiFault`s. */
export function useAnswer<P extends GetPath>(path: P, init?: InitOf<'get', P>, options: AskOptions = {}) {
  const own = useDataContext();
  const { enabled = true, everyMs, keep = false, context = own } = options;
  const query = useQuery({
    ...answerQuery(context, path, init),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keep && { placeholderData: keepInContext(context) }),
  });
  return { ...query, body: query.data?.body, etag: query.data?.etag ?? null, total: query.data?.total ?? null };
}

/** The keys of changes whose outcome is not known, by the change, with what it is about. */
const unsettled = new Map<string, { readonly key: string; readonly place: string | null }>();

/** What a change is about, by the ids in its path; null for one that makes something. */
function placeOf(init: object): string | null {
  const { params } = init as { readonly params?: { readonly path?: object } };
  return params?.path === undefined ? null : JSON.stringify(params.path);
}

interface ChangeOptions<M extends ChangeMethod, P extends keyof paths> {
  /** Answers whose paths begin so are asked again after the change; all that is on the page by default. */
  readonly touches?: readonly string[];
  readonly onDone?: (body: AnswerBody<M, P>) => void;
}

/**
 * A change. Each has an `Idempotency-Key` of its own. One that failed without a word on whether it took effect (no
 * answer, 5xx) keeps its key for when the user tries again, so that nothing is made or booked twice. `etag` makes a
 * change conditional (`If-Match`): when another user was first, it fails with 412 and nothing is lost.
 */
export function useChange<M extends ChangeMethod, P extends PathsWithMethod<paths, M>>(
  method: M,
  path: P,
  { touches, onDone }: ChangeOptions<M, P> = {},
) {
  const context = useDataContext();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ etag, ...init }: ChangeInit<M, P>) => {
      const change = JSON.stringify([method, path, context, init]);
      const place = placeOf(init);
      const { key } = unsettled.get(change) ?? { key: randomId() };
      unsettled.set(change, { key, place });
      const headers = { 'Idempotency-Key': key, ...(etag != null && { 'If-Match': etag }) };
      try {
        const answer = await call(method, path, init, context, headers);
        unsettled.delete(change);
        // What was changed since then is changed anew by the same change: paused, set going, and paused again.
        for (const [other, of] of unsettled) if (place !== null && of.place === place) unsettled.delete(other);
        return answer as Answer<AnswerBody<M, P>>;
      } catch (fault) {
        if (!isPassing(fault)) unsettled.delete(change);
        throw fault;
      }
    },
    onSuccess: async ({ body }) => {
      onDone?.(body);
      await client.invalidateQueries({
        predicate: ({ queryKey }) =>
          touches === undefined || touches.some((prefix) => String(queryKey[2]).startsWith(prefix)),
      });
    },
  });
}

export type ChangeInit<M extends ChangeMethod, P extends keyof paths> = InitOf<M, P> & {
  /** Of the version that was looked at. */
  readonly etag?: string | null;
};
