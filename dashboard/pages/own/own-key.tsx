import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiFault } from '../../api/fault.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Failed } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Section } from '../../kit/figure.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';

/** The key of one's own source, for its programs. */
export function OwnKey({ side }: { readonly side: 'source' | 'demand' }) {
  const path = `/api/${side}/key` as const;
  const asked = useAnswer(path);
  const make = useChange('post', path, { touches: [path, `/api/${side}/profile`] });
  const [seen, setSeen] = useState(false);
  const none = asked.error instanceof ApiFault && asked.error.status === 404;
  const create = async () => {
    try {
      await make.mutateAsync({});
      tellDone('The key is made.');
    } catch (error) {
      tellFault(error);
    }
  };
  const ask = () =>
    confirm({
      title: 'Make a new key?',
      what: 'The key that your programs use now is refused at once: give them the new one.',
      label: 'Make a new key',
      danger: true,
      run: create,
    });
  return (
    <Section
      title="Key"
      description="For your programs: it reads what you see here, and nothing else."
      actions={
        <Button size="xs" variant="default" loading={make.isPending} onClick={none ? () => void create() : ask}>
          {none ? 'Make a key' : 'Make a new key'}
        </Button>
      }
    >
      {asked.error !== null && !none && <Failed error={asked.error} again={asked.refetch} />}
      {none && <Text size="sm">There is no key yet.</Text>}
      {!none && asked.body !== undefined && (
        <Stack gap={6}>
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <PasswordInput
              label="Key"
              readOnly
              visible={seen}
              onVisibilityChange={setSeen}
              value={asked.body.key}
              w="100%"
              maw={480}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
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
