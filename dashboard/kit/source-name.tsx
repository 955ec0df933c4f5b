import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../api/queries.ts';

interface SourceNameProps {
  readonly of: 'publisher' | 'dsp';
  readonly id: string;
  /** Whether the reader may look at the source: its own people may not look at others. */
  readonly known?: boolean;
}

/** A publisher or a demand source by its name, as a link; by the beginning of its id where its name is hidden. */
export function SourceName({ of, id, known = true }: SourceNameProps) {
  const publisher = useAnswer(
    '/api/supply/sources/{id}',
    { params: { path: { id } } },
    { enabled: known && of === 'publisher' },
  );
  const dsp = useAnswer('/api/demand/sources/{id}', { params: { path: { id } } }, { enabled: known && of === 'dsp' });
  const name = (of === 'publisher' ? publisher : dsp).body?.name;
  if (name === undefined) {
    return (
      <Text span inherit c="dimmed" title={id} ff="monospace">
        {id.slice(0, 8)}…
      </Text>
    );
  }
  return (
    <Anchor
      inherit
      truncate
      display="block"
      maw={220}
      title={name}
      renderRoot={(props) => (
        <Link to={of === 'publisher' ? '/supply/$id' : '/demand/$id'} params={{ id }} {...props} />
      )}
    >
      {name}
    </Anchor>
  );
}
