import { Group, Paper, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface FigureProps {
  readonly label: string;
  readonly value: ReactNode;
  /** What exactly is counted, on hover. */
  readonly hint?: string;
  /** Below the value: a comparison, a share. */
  readonly below?: ReactNode;
}

/** One number with its name. */
export function Figure({ label, value, hint, below }: FigureProps) {
  const name = (
    <Text
      size="sm"
      c="dimmed"
      component="dt"
      style={hint === undefined ? undefined : { borderBottom: '1px dotted currentColor', width: 'fit-content' }}
      tabIndex={hint === undefined ? undefined : 0}
    >
      {label}
    </Text>
  );
  return (
    <Stack gap={2} component="div">
      {hint === undefined ? name : <Tooltip label={hint}>{name}</Tooltip>}
      <Text fz={24} fw={650} lh={1.2} className="figure" component="dd" m={0}>
        {value}
      </Text>
      {below !== undefined && (
        <Text size="xs" c="dimmed" component="dd" m={0}>
          {below}
        </Text>
      )}
    </Stack>
  );
}

interface FiguresProps {
  readonly children: ReactNode;
  readonly cols?: number;
  /** Inside a box of something else. */
  readonly bare?: boolean;
}

/** Numbers beside each other, in a box. */
export function Figures({ children, cols = 4, bare = false }: FiguresProps) {
  const numbers = (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, md: cols }} spacing="lg" verticalSpacing="md">
      {children}
    </SimpleGrid>
  );
  return bare ? numbers : <Paper>{numbers}</Paper>;
}

/** A titled part of a page. */
export function Section({
  title,
  actions,
  children,
  description,
}: {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Paper component="section" aria-label={title}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} miw={0}>
            <Text component="h2" fw={650} fz="md" m={0} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            {description !== undefined && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {description}
              </Text>
            )}
          </Stack>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
