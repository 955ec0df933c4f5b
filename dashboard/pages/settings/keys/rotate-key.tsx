import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useChange } from '../../../api/queries.ts';
import type { MadeApiKey } from './made-key.tsx';

interface RotateKeyProps {
  readonly of: components['schemas']['ApiKey'];
  readonly onClose: () => void;
  readonly onMade: (key: MadeApiKey) => void;
}

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'In an hour' },
  { value: '86400', label: 'In a day' },
];

/** A new key in place of one, which goes on working for a while so that nothing is interrupted. */
export function RotateKey({ of: { id, name }, onClose, onMade }: RotateKeyProps) {
  const rotate = useChange('post', '/api/keys/{id}/rotate', { touches: ['/api/keys'] });
  const [overlap, setOverlap] = useState('3600');
  const [fault, setFault] = useState<string | null>(null);
  const submit = async () => {
    try {
      setFault(null);
      onMade((await rotate.mutateAsync({ params: { path: { id } }, body: { overlap_seconds: Number(overlap) } })).body);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Rotate the key ${name}`}>
      <Stack gap="sm">
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <Text size="sm">
          A new key is made, with the same name and environment. Put it in place before the old one ends.
        </Text>
        <Select
          label="The old key ends"
          data={OVERLAPS}
          allowDeselect={false}
          value={overlap}
          onChange={(value) => value !== null && setOverlap(value)}
        />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={rotate.isPending} onClick={() => void submit()}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
