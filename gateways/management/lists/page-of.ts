import Type from 'typebox';
import type { Query } from '#runtime/ports/store';

/** The number of entries on a page when the caller states only the number of the page. */
export const DEFAULT_PER_PAGE = 50;

/** The query parameters of a list that is returned whole unless a page is asked for. */
export const optionalPaging = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'A page, from 1 on; without it and `per_page`: all.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: `How many a page has at most; ${DEFAULT_PER_PAGE} where only \`page\` is given.`,
    }),
  ),
};

export interface PageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

export interface Page {
  /** The number of the page, from 1 on. */
  readonly page: number;
  readonly perPage: number;
}

/** The page that the query asks for; null for the whole list. */
function requestedPage({ page, per_page: perPage }: PageQuery): Page | null {
  if (page === undefined && perPage === undefined) return null;
  return { page: page ?? 1, perPage: perPage ?? DEFAULT_PER_PAGE };
}

/** The part of a list that the store is to read: one page, or all. */
export function pageOf(query: PageQuery): Pick<Query, 'skip' | 'limit'> {
  const asked = requestedPage(query);
  return asked === null ? {} : { skip: (asked.page - 1) * asked.perPage, limit: asked.perPage };
}

/** One page of a list that is in memory, or the whole list. */
export function pageIn<T>(list: readonly T[], query: PageQuery): T[] {
  const { skip = 0, limit } = pageOf(query);
  return list.slice(skip, limit === undefined ? undefined : skip + limit);
}
