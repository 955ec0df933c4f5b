import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { components } from '../../../api/generated.d.ts';
import { Snippet } from '../../../kit/copy.tsx';

export type MadeApiKey = components['schemas']['MadeApiKey'];

/** The one time that a key is seen. */
export function MadeKey({ made, onClose }: { readonly made: MadeApiKey; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={`The key ${made.name}`}>
      <Stack gap="md">
        <Alert color="yellow" icon={<AlertIcon size={16} />}>
          Copy it now: it is not shown again.
        </Alert>
        <Snippet text={made.key} what="the key" />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
