import { useEffect, useRef } from 'react';

export type ReviewAction = 'next' | 'previous' | 'approve' | 'block' | 'report' | 'undo' | 'help';

const KEYS: Readonly<Record<string, ReviewAction>> = {
  j: 'next',
  arrowright: 'next',
  k: 'previous',
  arrowleft: 'previous',
  a: 'approve',
  b: 'block',
  r: 'report',
  u: 'undo',
  '?': 'help',
};

export const SHORTCUTS: readonly { readonly keys: string; readonly what: string }[] = [
  { keys: 'J or →', what: 'The next creative' },
  { keys: 'K or ←', what: 'The one before' },
  { keys: 'A', what: 'Approve it' },
  { keys: 'B', what: 'Block it: asks once, with a reason; Enter blocks' },
  { keys: 'R', what: 'Report it' },
  { keys: 'U', what: 'Take the last decision back' },
  { keys: '?', what: 'Show or hide these keys' },
];

/** Where letters and arrows are the element's own. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="radiogroup"], [role="menu"], [role="dialog"]';

/** Calls `act` for single keys, but while somebody types, chooses, or a dialog is open. */
export function useShortcuts(enabled: boolean, act: (action: ReviewAction) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (!enabled) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      const action = KEYS[event.key.toLowerCase()];
      const { target } = event;
      if (action === undefined || (target instanceof Element && target.closest(OWN_KEYS) !== null)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      event.preventDefault();
      latest.current(action);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}
