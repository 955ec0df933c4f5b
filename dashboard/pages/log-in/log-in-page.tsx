import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useRouter, useSearch } from '@tanstack/react-router';
import { LogInForm } from '../../app/session/log-in-form.tsx';
import { useTitle } from '../../kit/use-title.ts';

/** The login page. A user who was sent here from a page returns to it. */
export function LogInPage() {
  useTitle('Log in');
  const { next = '/' } = useSearch({ from: '/login' });
  const router = useRouter();
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={380} gap="lg">
        <Stack gap={4} align="center">
          <img src="/icon.svg" width={40} height={40} alt="" />
          <Title order={1}>Log in</Title>
          <Text c="dimmed" size="sm">
            to the ad exchange
          </Text>
        </Stack>
        <Paper p="lg">
          <LogInForm onLoggedIn={() => router.history.push(next)} />
        </Paper>
      </Stack>
    </Center>
  );
}
