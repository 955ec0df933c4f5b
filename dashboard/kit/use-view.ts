import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

type View = Record<string, string | undefined>;

/**
 * What a page shows of its thing: filters, sort, tab, period. It is a part of the URL, so that a link shows others the
 * same and Back goes back. Members that are as `initial` says stand in no URL.
 */
export function useView<V extends View>(initial: V): readonly [V, (change: Partial<V>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const view = { ...initial } as Record<string, string | undefined>;
  for (const name of Object.keys(initial)) {
    const said = search[name];
    // The router reads what looks like a number as one.
    if (said !== undefined && said !== null && typeof said !== 'object') view[name] = String(said);
  }
  const names = Object.keys(initial).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `initial` says the same each time
  const change = useCallback(
    (changed: Partial<V>) => {
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: (before: Record<string, unknown>) => {
          const next = { ...before };
          for (const [name, value] of Object.entries(changed)) {
            if (value === undefined || value === '' || value === initial[name]) delete next[name];
            else next[name] = value;
          }
          return next;
        },
      } as never);
    },
    [navigate, names],
  );
  return [view as V, change];
}
