import type { AnyRoute } from '../routing/route.ts';
import { DEFAULT_PER_PAGE, type PageQuery } from './page-of.ts';

/** Whether the answer is a list that can be read in pages. */
export function isPaged({ query }: AnyRoute): boolean {
  return query?.properties.per_page !== undefined || query?.properties.cursor !== undefined;
}

/** Whether the answer is a page even without a page parameter: the first one. */
export function isAlwaysPaged({ query }: AnyRoute): boolean {
  return query?.properties.per_page?.default !== undefined;
}

interface ListAnswer {
  /** The list's own URL, absolute and without a query. */
  readonly url: string;
  /** The query, read and checked. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether the answer is a page even without a page parameter. */
  readonly paged: boolean;
  /** The answer of the handler. */
  readonly answer: object;
  /** The number of entries on all pages, where the answer does not state it itself. */
  readonly total: number | null;
}

/**
 * The headers of a list that is read in pages: `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and
 * last page, or to the page after a cursor. The links repeat only the parameters that were read, so that every part of
 * them was checked by a schema.
 */
export function listHeaders({ url, query, paged, answer, ...listed }: ListAnswer): Readonly<Record<string, string>> {
  const to = (change: object) => `${url}?${queryOf({ ...query, ...change })}`;
  const { next_cursor: cursor, total = listed.total } = answer as { next_cursor?: string | null; total?: number };
  const links: [rel: string, target: string][] = [];
  if (typeof cursor === 'string') links.push(['next', to({ cursor })]);
  const { page: given, per_page: size } = query as PageQuery;
  if (total !== null && (paged || given !== undefined || size !== undefined)) {
    const [page, perPage] = [given ?? 1, size ?? DEFAULT_PER_PAGE];
    const last = Math.max(1, Math.ceil(total / perPage));
    const link = (rel: string, number: number) => links.push([rel, to({ page: number, per_page: perPage })]);
    link('first', 1);
    if (page > 1) link('prev', Math.min(page - 1, last));
    if (page < last) link('next', page + 1);
    link('last', last);
  }
  return {
    ...(total === null ? {} : { 'X-Total-Count': String(total) }),
    ...(links.length === 0 ? {} : { Link: links.map(([rel, target]) => `<${target}>; rel="${rel}"`).join(', ') }),
  };
}

function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value));
  return search.toString();
}
