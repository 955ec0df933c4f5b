import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../kit/use-title.ts';

/** For an address that no page has. */
export function NotFound() {
  useTitle('There is no such page');
  return (
    <Stack align="flex-start" p="xl" gap="xs">
      <Title order={1}>There is no such page</Title>
      <Text c="dimmed">The address may be mistyped, or what it named is gone.</Text>
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the overview</Anchor>
    </Stack>
  );
}
