import { Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { CheckIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly what: string;
  /** What came of it, once it is done. */
  readonly done?: ReactNode;
  readonly current: boolean;
  readonly children: ReactNode;
}

/** One step of the path: what it is for, its form while it is its turn, and what came of it. */
export function Step({ number, title, what, done, current, children }: StepProps) {
  const isDone = done !== undefined && done !== null;
  return (
    <Paper component="li" aria-current={current ? 'step' : undefined}>
      <Group align="flex-start" wrap="nowrap" gap="md">
        <ThemeIcon
          radius="xl"
          size={28}
          variant={isDone || current ? 'filled' : 'default'}
          color={isDone ? 'green.9' : undefined}
        >
          {isDone ? <CheckIcon size={16} /> : number}
        </ThemeIcon>
        <Stack gap="xs" style={{ flex: 1 }} miw={0}>
          <div>
            <Text component="h2" fw={650} m={0}>
              {title}
            </Text>
            <Text size="sm" c="dimmed">
              {what}
            </Text>
          </div>
          {isDone ? (
            <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
              {done}
            </Text>
          ) : (
            current && children
          )}
        </Stack>
      </Group>
    </Paper>
  );
}
