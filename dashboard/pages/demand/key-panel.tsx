import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Copy, Snippet } from '../../kit/copy.tsx';
import { Section } from '../../kit/figure.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';

interface KeyPanelProps {
  readonly id: string;
  readonly name: string;
  /** It was just made: it is shown as it is. */
  readonly revealed?: boolean;
}

const SHOWN_END = 4;

/** The key with which a DSP reads its own reports: masked until it is revealed; it can be rotated. */
export function KeyPanel({ id, name, revealed = false }: KeyPanelProps) {
  const path = { params: { path: { id } } };
  const key = useAnswer('/api/demand/sources/{id}/key', path);
  const make = useChange('post', '/api/demand/sources/{id}/key', { touches: [`/api/demand/sources/{id}/key`] });
  const [shows, setShows] = useState(revealed);
  const none = key.body === undefined && key.error instanceof ApiFault && key.error.status === 404;

  const renew = async () => {
    try {
      await make.mutateAsync(path);
      setShows(true);
      tellDone(`${name} has a new key.`);
    } catch (error) {
      tellFault(error);
    }
  };
  const regenerate = () =>
    confirm({
      title: 'Regenerate the key?',
      what: `Programs of ${name} that use the key of now are refused at once, until they have the new one.`,
      label: 'Regenerate',
      danger: true,
      run: renew,
    });

  return (
    <Section
      title="Key"
      description="With it the DSP reads its own reports, bills and auctions by the API, as the header X-API-Key."
      actions={
        key.body !== undefined && (
          <>
            <Button size="xs" variant="default" onClick={() => setShows(!shows)}>
              {shows ? 'Hide' : 'Show'}
            </Button>
            <Button size="xs" variant="default" loading={make.isPending} onClick={regenerate}>
              Regenerate
            </Button>
          </>
        )
      }
    >
      {none ? (
        <Empty
          title="It has no key yet"
          action={
            <Button loading={make.isPending} onClick={() => void renew()}>
              Make a key
            </Button>
          }
        >
          Programs of the DSP need one. Its people log in instead.
        </Empty>
      ) : (
        <Answered of={key} lines={1}>
          {({ key: text, created_at }) => (
            <>
              {shows ? (
                <Snippet text={text} what="the key" />
              ) : (
                <Group gap={6} wrap="nowrap">
                  <Text ff="monospace" size="sm" truncate>
                    {`${'•'.repeat(12)}${text.slice(-SHOWN_END)}`}
                  </Text>
                  <Copy value={text} what="the key" />
                </Group>
              )}
              <Text size="xs" c="dimmed">
                Made <Time at={created_at} />
              </Text>
            </>
          )}
        </Answered>
      )}
    </Section>
  );
}
