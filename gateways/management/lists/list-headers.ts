import type { AnyRoute } from '../routing/route.ts';
import { DEFAULT_PER_PAGE, type PageQuery } from './page-of.ts';

/** Whether the answer is a list of which pages can be asked for. */
export function isPaged({ query }: AnyRoute): boolean {
  return query?.properties.per_page !== undefined || query?.properties.cursor !== undefined;
}

/** Whether it is a page even where none is asked for: its first. */
export function isAlwaysPaged({ query }: AnyRoute): boolean {
  return query?.properties.per_page?.default !== undefined;
}

interface ListAnswer {
  /** The list's own URL, absolute and without a query. */
  readonly url: string;
  /** The query as it was read and checked. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Whether it is a page even where none was asked for. */
  readonly paged: boolean;
  /** What was answered. */
  readonly answer: object;
  /** How many there are on all pages, where the answer does not say so itself. */
  readonly total: number | null;
}

/**
 * `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page of a list that came in pages, or to what follows
 * after a cursor. The links keep the parameters that were read: they hold nothing that no schema has checked.
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
