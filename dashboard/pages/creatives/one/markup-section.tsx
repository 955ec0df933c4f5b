import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Snippet } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import type { Seen } from '../creative.ts';

/** The markup as text. */
export function MarkupSection({ of: { markup, fingerprint } }: { readonly of: Seen }) {
  const [shown, setShown] = useState(false);
  return (
    <Section
      title="Markup"
      description={
        fingerprint === null
          ? 'One example: it differs from auction to auction.'
          : 'Macros stand in place of what differs from auction to auction.'
      }
      actions={
        markup !== null && (
          <Button size="xs" variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show as text'}
          </Button>
        )
      }
    >
      {markup === null && (
        <Text size="sm" c="dimmed">
          It is too large to be kept, or a campaign has it.
        </Text>
      )}
      {shown && markup !== null && <Snippet text={markup} what="the markup" />}
    </Section>
  );
}
