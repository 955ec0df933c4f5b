import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

/** What a link changes that leaves the strategy: the page, its tab, whose data it shows. */
const LEAVES = ['tab', 'sandbox', 'partner'];

/** Asks before a text that was not saved is left, by a link, by Back or by closing the tab. */
export function LeaveGuard({ dirty }: { readonly dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!dirty) return false;
      if (current.pathname !== next.pathname) return true;
      const before = current.search as Record<string, unknown>;
      const after = next.search as Record<string, unknown>;
      return LEAVES.some((name) => String(before[name]) !== String(after[name]));
    },
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Modal opened onClose={blocker.reset} title="Leave without saving?">
      <Text size="sm">The strategy was changed and not saved. What you changed is lost when you leave.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={blocker.reset}>
          Stay
        </Button>
        <Button color="red" onClick={blocker.proceed}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  );
}
