import { Alert, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiFault } from '../api/fault.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Failed } from './answered.tsx';
import { confirm } from './confirm.tsx';
import { Copy } from './copy.tsx';
import { Section } from './figure.tsx';
import { tellDone, tellFault } from './tell.ts';
import { Time } from './time.tsx';

interface SourceKeyProps {
  readonly of: 'supply' | 'demand';
  readonly id: string;
  readonly name: string;
}

/** A source's own key: hidden until it is asked for, and made anew (specification, "Source keys"). */
export function SourceKeySection({ of, id, name }: SourceKeyProps) {
  const path = `/api/${of}/sources/{id}/key` as const;
  const asked = useAnswer(path, { params: { path: { id } } }, { enabled: true });
  const make = useChange('post', path, { touches: [`/api/${of}/sources/{id}/key`] });
  const [seen, setSeen] = useState(false);
  const none = asked.error instanceof ApiFault && asked.error.status === 404;

  const create = async () => {
    try {
      await make.mutateAsync({ params: { path: { id } } });
      setSeen(true);
      tellDone('The key is made. The one before, if there was one, is refused from now on.');
    } catch (error) {
      tellFault(error);
    }
  };
  const ask = () =>
    confirm({
      title: 'Make a new key?',
      what: `The key that ${name} uses now is refused at once: whoever calls with it must be given the new one.`,
      label: 'Make a new key',
      danger: true,
      run: create,
    });

  return (
    <Section
      title="Source key"
      description={
        of === 'supply'
          ? 'Lets this publisher’s own servers prove who they are, and read its figures and bills.'
          : 'Lets this demand source’s own systems read its figures, feed and bills.'
      }
      actions={
        <Button size="xs" variant="default" loading={make.isPending} onClick={none ? () => void create() : ask}>
          {none ? 'Make a key' : 'Make a new key'}
        </Button>
      }
    >
      {asked.error !== null && !none && <Failed error={asked.error} again={asked.refetch} />}
      {none && (
        <Alert color="gray">
          <Text size="sm">It has no key yet.</Text>
        </Alert>
      )}
      {!none && asked.body !== undefined && (
        <Stack gap={6}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <PasswordInput
              label="Key"
              readOnly
              visible={seen}
              onVisibilityChange={setSeen}
              value={asked.body.key}
              w="100%"
              maw={480}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
              styles={{ innerInput: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
            <Copy value={asked.body.key} what="the key" />
          </Group>
          <Text size="xs" c="dimmed">
            Made <Time at={asked.body.created_at} ago />
          </Text>
        </Stack>
      )}
    </Section>
  );
}
