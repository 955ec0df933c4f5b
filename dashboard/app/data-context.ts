import { useSearch } from '@tanstack/react-router';

/** Whose data a page shows: a part of its URL, so that a link shows others the same. */
export interface DataContext {
  readonly sandbox: boolean;
  /** Of those that the account acts for; all of them without. */
  readonly partner?: string;
}

export interface ContextSearch {
  readonly sandbox?: true;
  readonly partner?: string;
}

/** The part of a URL's query that every page has. */
export function readContextSearch(search: Record<string, unknown>): ContextSearch {
  const { sandbox, partner } = search;
  return {
    ...((sandbox === true || sandbox === 'true') && { sandbox: true as const }),
    ...(typeof partner === 'string' && partner !== '' && { partner }),
  };
}

function contextOf({ sandbox, partner }: ContextSearch): DataContext {
  return { sandbox: sandbox === true, ...(partner !== undefined && { partner }) };
}

export function useDataContext(): DataContext {
  return contextOf(useSearch({ strict: false }) as ContextSearch);
}
