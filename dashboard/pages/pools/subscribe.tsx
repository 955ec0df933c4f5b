import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { SourceSelect } from '../../kit/source-select.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import type { Pool } from './pool.ts';

interface SubscribeProps {
  readonly pool: Pool;
  /** Those that are subscribed already. */
  readonly known: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Lets a demand source buy from the pool. */
export function Subscribe({ pool, known, onClose }: SubscribeProps) {
  const [id, setId] = useState('');
  const subscribe = useChange('post', '/api/demand/sources/{id}/pools/{pool_id}', {
    touches: ['/api/supply', '/api/demand', '/api/attention'],
  });
  const submit = async () => {
    try {
      await subscribe.mutateAsync({ params: { path: { id, pool_id: pool.id } } });
      tellDone('It is subscribed, and asked for the ads of this pool from now on.');
      onClose();
    } catch (error) {
      tellFault(error);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Subscribe a demand source to ${pool.name}`}>
      <Stack gap="sm">
        <SourceSelect of="dsp" label="Demand source" value={id} onChange={setId} />
        {known.has(id) && (
          <Text size="sm" c="dimmed">
            It is subscribed already.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={id === '' || known.has(id)} loading={subscribe.isPending} onClick={() => void submit()}>
            Subscribe
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
