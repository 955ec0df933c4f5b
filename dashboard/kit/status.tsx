import { Badge } from '@mantine/core';
import { words } from './format.ts';

const COLOURS: Readonly<Record<string, string>> = {
  active: 'green',
  verified: 'green',
  filled: 'green',
  won: 'green',
  billed: 'green',
  delivered: 'green',
  closed: 'green',
  finalized: 'green',
  ready: 'green',
  ok: 'green',
  sandbox: 'yellow',
  paused: 'yellow',
  half_open: 'yellow',
  awaited: 'yellow',
  pending: 'yellow',
  waiting: 'yellow',
  in_progress: 'blue',
  fetching: 'blue',
  open: 'red',
  failed: 'red',
  blocked: 'red',
  invalid: 'red',
  dead: 'red',
  disabled: 'red',
  degraded: 'red',
};

/** A state of the API as a coloured word: colour is never all that says it. */
export function Status({ of, label }: { readonly of: string; readonly label?: string }) {
  // A word is never cut: a table gives it the room that it needs.
  return (
    <Badge miw="max-content" color={COLOURS[of] ?? 'gray'}>
      {label ?? words(of)}
    </Badge>
  );
}
