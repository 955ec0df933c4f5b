import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiFault } from '../../api/fault.ts';
import { useTitle } from '../../kit/use-title.ts';

/** In place of a page that could not be shown: what happened, and a way on. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  useTitle('This page could not be shown');
  const router = useRouter();
  const requestId = error instanceof ApiFault ? error.requestId : null;
  return (
    <Stack align="flex-start" p="xl" gap="sm" role="alert">
      <Title order={1}>This page could not be shown</Title>
      <Text>{error instanceof Error ? error.message : String(error)}</Text>
      {requestId !== null && (
        <Text size="sm" c="dimmed">
          Request {requestId}
        </Text>
      )}
      <Group>
        <Button
          onClick={async () => {
            reset();
            await router.invalidate();
          }}
        >
          Try again
        </Button>
        {/* The code of a page may be that of a release that is gone. */}
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </Group>
    </Stack>
  );
}
