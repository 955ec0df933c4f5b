import type { Answer, Caller } from '../caller.ts';
import { wait } from '../http/wait.ts';

/** How a list is read. */
export interface PagingOptions {
  /**
   * Of a feed: goes on at its end, and asks again so often, in ms. `true`: every 5 seconds. Without it a feed ends
   * where it has no more.
   */
  readonly follow?: boolean | { readonly everyMs: number } | undefined;
}

interface PagedInit extends PagingOptions {
  readonly params?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const FOLLOW_MS = 5_000;

/**
 * The pages of a list, one after another, however the list is paged: each answer links to the page after it. A page is
 * asked for when the one before it was taken.
 */
export async function* readPages(
  caller: Pick<Caller, 'call'>,
  path: string,
  { follow = false, ...init }: PagedInit,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  const params = (init.params ?? {}) as { readonly query?: object };
  let query: object = params.query ?? {};
  for (;;) {
    const page = await caller.call('GET', path, { ...init, params: { ...params, query } });
    yield page;
    const next = nextPage(page.headers);
    if (next === null) return;
    query = { ...query, ...next };
    if ((page.data as { has_more?: boolean }).has_more !== false) continue;
    if (follow === false) return;
    await wait(follow === true ? FOLLOW_MS : follow.everyMs, init.signal);
  }
}

/** The entries of a page: its one array. */
export function entriesOf(page: Answer<unknown>): readonly unknown[] {
  return Object.values(page.data as object).find(Array.isArray) ?? [];
}

/** The parameters of the query that the link to the next page has (RFC 8288); null on the last page. */
function nextPage(headers: Headers): Record<string, string> | null {
  for (const link of (headers.get('Link') ?? '').split(', ')) {
    const [target, ...attributes] = link.split('; ');
    if (!attributes.includes('rel="next"')) continue;
    // The address is the one that the exchange has for the public, and callers may have another.
    const search = target!.slice(1, -1).split('?', 2)[1] ?? '';
    return Object.fromEntries(new URLSearchParams(search));
  }
  return null;
}
