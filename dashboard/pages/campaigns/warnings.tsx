import { List, Text } from '@mantine/core';
import { warningWords } from './warning-words.ts';

/** What is not as recommended of a creative, and what its owner does about it. */
export function Warnings({ of, remedies = false }: { readonly of: readonly string[]; readonly remedies?: boolean }) {
  if (of.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No warnings
      </Text>
    );
  }
  return (
    <List size="sm" spacing={4} aria-label="Warnings">
      {of.map((warning) => {
        const { title, remedy } = warningWords(warning);
        return (
          <List.Item key={warning}>
            {title}
            {remedies && (
              <Text size="sm" c="dimmed">
                {remedy}
              </Text>
            )}
          </List.Item>
        );
      })}
    </List>
  );
}
