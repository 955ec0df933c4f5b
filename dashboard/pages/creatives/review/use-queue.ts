import { useEffect, useRef } from 'react';
import { useList } from '../../../api/pages.ts';
import type { Listed, Scope } from '../creative.ts';
import { decisionIn } from '../marks.tsx';
import { PATHS, type Reader } from '../reader.ts';

export const QUEUES = [
  { value: 'undecided', label: 'Undecided', empty: 'Everything is decided about' },
  { value: 'flagged', label: 'Flagged', empty: 'No scan has found a violation' },
  { value: 'refused', label: 'Refused', empty: 'No bid lost for want of a decision' },
  { value: 'all', label: 'All', empty: 'No creative was seen yet' },
] as const;
export type QueueName = (typeof QUEUES)[number]['value'];

const QUERIES: Readonly<Record<QueueName, Record<string, string>>> = {
  undecided: { decision: 'undecided' },
  flagged: { scan_status: 'flagged' },
  refused: { decision: 'undecided' },
  all: {},
};
/** So many creatives before the end of what is known, more are asked for. */
const AHEAD = 8;

interface QueueOptions {
  readonly reader: Reader;
  readonly queue: QueueName;
  readonly scope: Scope;
  readonly enabled: boolean;
}

/**
 * The creatives of a review in the order in which they came: those that were decided about in between stay where they
 * are, so that nothing moves under the reader's hands and each decision can be undone. `want` is how many the reader
 * has come to.
 */
export function useQueue({ reader, queue, scope, enabled }: QueueOptions, want: number) {
  const query = {
    ...QUERIES[queue],
    ...(scope.kind === 'publisher' && reader === 'account' && { publisher_id: scope.id }),
  };
  const list = useList(PATHS[reader].list, query, { rows: (body) => body.creatives, enabled });
  const name = `${queue} ${scope.kind} ${scope.id}`;
  const kept = useRef({ name, rows: new Map<string, Listed>() });
  if (kept.current.name !== name) kept.current = { name, rows: new Map() };
  const { rows } = kept.current;
  if (!list.isPlaceholderData) {
    for (const row of list.rows) if (rows.has(row.id) || belongs(row, queue, scope)) rows.set(row.id, row);
  }
  const { hasNextPage, isFetching, fetchNextPage } = list;
  useEffect(() => {
    if (enabled && hasNextPage && !isFetching && rows.size < want + AHEAD) void fetchNextPage();
  }, [enabled, hasNextPage, isFetching, fetchNextPage, rows.size, want]);
  return { ...list, creatives: [...rows.values()] };
}

/** What the API does not choose by: the decisions of this one scope, and refusals. */
function belongs(creative: Listed, queue: QueueName, scope: Scope): boolean {
  if (queue === 'refused') return creative.refusals > 0;
  return queue !== 'flagged' || decisionIn(creative, scope) === undefined;
}
