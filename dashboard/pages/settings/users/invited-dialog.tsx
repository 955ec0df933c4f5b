import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { components } from '../../../api/generated.d.ts';
import { Snippet } from '../../../kit/copy.tsx';
import { Time } from '../../../kit/time.tsx';

export type Invited = components['schemas']['InvitationWithLink'];

/** The one time that a link is seen. */
export function InvitedDialog({ invited, onClose }: { readonly invited: Invited; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={`The link for ${invited.email}`}>
      <Stack gap="sm">
        <Alert color="yellow">Copy it now: it is not shown again.</Alert>
        <Snippet text={invited.url} what="the link" />
        <Text size="sm">
          Send it to {invited.email}. Whoever opens it first chooses the password. It ends{' '}
          <Time at={invited.expires_at} ago />.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
