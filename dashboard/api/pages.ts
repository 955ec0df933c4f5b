import { useInfiniteQuery } from '@tanstack/react-query';
import type { PathsWithMethod } from 'openapi-typescript-helpers';
import { useMemo } from 'react';
import { useDataContext } from '../app/data-context.ts';
import type { paths } from './generated.d.ts';
import { type AnswerBody, answerKey, answerQuery, type InitOf, keepInContext } from './queries.ts';

type GetPath = PathsWithMethod<paths, 'get'>;

const ROWS_A_PAGE = 100;

interface ListOptions<P extends GetPath, R> {
  /** What the path's parameters are. */
  readonly path?: Readonly<Record<string, string>>;
  /** The rows of one page of the list. */
  readonly rows: (body: AnswerBody<'get', P>) => readonly R[];
  /** It is paged by `cursor` and `limit`. */
  readonly cursor?: boolean;
  readonly enabled?: boolean;
  readonly everyMs?: number;
}

interface Shown {
  readonly next_cursor?: string | null;
  /** Said by lists that are followed: they have a cursor at their end too. */
  readonly has_more?: boolean;
  readonly total?: number;
}

/**
 * A list of the API, whichever way it is paged (`page` and `per_page`, or `cursor` and `limit`): what was scrolled to
 * is asked for, a hundred rows at a time.
 */
export function useList<P extends GetPath, R>(
  path: P,
  query: object,
  { path: parameters, rows, cursor: byCursor = false, enabled = true, everyMs }: ListOptions<P, R>,
) {
  const context = useDataContext();
  const size = byCursor ? { limit: ROWS_A_PAGE } : { per_page: ROWS_A_PAGE };
  const list = useInfiniteQuery({
    queryKey: [...answerKey(context, path, { query, parameters }), 'pages'],
    initialPageParam: {} as object,
    placeholderData: keepInContext(context),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    queryFn: ({ pageParam, signal }) => {
      const init = { params: { path: parameters, query: { ...size, ...query, ...pageParam } } } as InitOf<'get', P>;
      return answerQuery(context, path, init).queryFn({ signal });
    },
    getNextPageParam: ({ body, total }, pages) => {
      const { next_cursor: cursor, has_more: more = true, total: said } = body as Shown;
      if (!more) return undefined;
      if (cursor !== undefined) return cursor === null ? undefined : { cursor };
      const known = pages.reduce((sum, page) => sum + rows(page.body).length, 0);
      const all = said ?? total ?? 0;
      return known < all && rows(body).length > 0 ? { page: pages.length + 1 } : undefined;
    },
  });
  const { data } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `rows` says how a page is read, and is the same for each list
  const known = useMemo(() => data?.pages.flatMap(({ body }) => [...rows(body)]) ?? [], [data]);
  const first = data?.pages[0];
  const total = (first?.body as Shown | undefined)?.total ?? first?.total ?? null;
  return { ...list, rows: known, total };
}
