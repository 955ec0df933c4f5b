import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { openConfirm } from './open-confirm.ts';

interface Confirmed {
  readonly title: string;
  /** What will happen, by name: "Home page stops being asked for ads; its statements stay." */
  readonly what: ReactNode;
  /** The button's word: "Archive". */
  readonly label: string;
  readonly danger?: boolean;
  readonly run: () => unknown;
}

/** Asks before something that cannot be undone by itself, and says what it will do. */
export function confirm({ title, what, label, danger = false, run }: Confirmed): void {
  void openConfirm({
    title,
    children: typeof what === 'string' ? <Text size="sm">{what}</Text> : what,
    labels: { confirm: label, cancel: 'Cancel' },
    confirmProps: danger ? { color: 'red' } : {},
    onConfirm: () => void run(),
  });
}
