import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { Snippet } from '../../../kit/copy.tsx';

/** The one time that a webhook's secret is seen. */
export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title="The secret that events are signed with">
      <Stack>
        <Alert color="yellow">Copy it now: it is not shown again.</Alert>
        <Snippet text={secret} what="the secret" />
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
