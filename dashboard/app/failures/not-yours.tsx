import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../../kit/use-title.ts';

/** For a page that there is, and that the reader's role may not see (403). */
export function NotYours() {
  useTitle('This is not for you to see');
  return (
    <Stack align="flex-start" p="xl" gap="xs">
      <Title order={1}>This is not for you to see</Title>
      <Text c="dimmed">The page is for others than you. Whoever invited you can change what you may see.</Text>
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the overview</Anchor>
    </Stack>
  );
}
