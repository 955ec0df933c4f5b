import { Button, FileButton, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Section } from '../../../kit/figure.tsx';
import { EXAMPLES } from './examples.ts';

interface FirstStrategyProps {
  readonly onOpen: (file: File) => void;
  readonly onExample: (document: (sourceId: string) => object) => void;
}

/** In place of the editor while the delegate has no strategy: ways to begin. */
export function FirstStrategy({ onOpen, onExample }: FirstStrategyProps) {
  return (
    <Section
      title="Strategy"
      description="This delegate has no strategy yet: it bids with the campaigns that were made one by one, if any. A strategy is a JSON document: its campaigns, and the rules by which they bid."
      actions={
        <FileButton accept="application/json,.json" onChange={(file) => file !== null && onOpen(file)}>
          {(button) => (
            <Button {...button} variant="default">
              Open a file
            </Button>
          )}
        </FileButton>
      }
    >
      <Text fw={600} size="sm">
        Start from an example
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {EXAMPLES.map(({ id, label, what, document }) => (
          <Paper key={id} bg="var(--surface)">
            <Stack justify="space-between" h="100%" gap="sm">
              <div>
                <Text fw={600} size="sm">
                  {label}
                </Text>
                <Text size="sm" c="dimmed">
                  {what}
                </Text>
              </div>
              <Group>
                <Button
                  size="xs"
                  variant="light"
                  aria-label={`Start from this: ${label}`}
                  onClick={() => onExample(document)}
                >
                  Start from this
                </Button>
              </Group>
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
    </Section>
  );
}
