import {
  Alert,
  Anchor,
  Button,
  Center,
  Paper,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiFault } from '../../api/fault.ts';
import type { AnswerBody } from '../../api/queries.ts';
import { sessionQuery } from '../../app/session/session.ts';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { Time } from '../../kit/time.tsx';
import { useTitle } from '../../kit/use-title.ts';

const ROLES: Readonly<Record<string, string>> = {
  operator: 'as an operator of the exchange',
  member: 'as a member of an account',
  source: 'to one source',
};

/** Opens a link that is good once: says what it is to, and lets its holder choose a password. */
export function InvitationPage() {
  useTitle('Invitation');
  // Behind the #, where no server and no log sees it.
  const [token] = useState(() => window.location.hash.slice(1));
  const asked = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await api.POST('/api/invitations/look-up', { body: { token } })).data!,
    enabled: token !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={420} gap="lg">
        <Stack gap={4} align="center">
          <img src="/icon.svg" width={40} height={40} alt="" />
          <Title order={1}>Invitation</Title>
        </Stack>
        <Paper p="lg">
          {token === '' && <Refused message="The link is not whole: copy all of it, with what stands behind the #." />}
          {asked.error !== null && (
            <Refused
              message={
                asked.error instanceof ApiFault && asked.error.status < 500 && asked.error.status > 0
                  ? 'This invitation is not good any more: it was used, it was revoked, or it has expired. Ask whoever sent it for a new link.'
                  : asked.error.message
              }
            />
          )}
          {asked.isLoading && <Skeleton height={180} role="group" aria-busy="true" aria-label="Loading" />}
          {asked.data !== undefined && <Accept token={token} invitation={asked.data} />}
        </Paper>
      </Stack>
    </Center>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly invitation: AnswerBody<'post', '/api/invitations/look-up'>;
}

function Accept({ token, invitation }: AcceptProps) {
  const client = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ initialValues: { name: invitation.name ?? '', password: '' } });
  const submit = form.onSubmit(async ({ name, password }) => {
    setBusy(true);
    setFault(null);
    try {
      await api.POST('/api/invitations/accept', { body: { token, password, ...(name !== '' && { name }) } });
      client.clear();
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      router.history.push('/');
    } catch (error) {
      setFault(showFieldFaults(form, error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{invitation.email}</b> is invited {ROLES[invitation.role]}
          {invitation.source !== null && invitation.source !== undefined && (
            <>
              : <b>{invitation.source.name}</b>
            </>
          )}
          . The link ends <Time at={invitation.expires_at} ago />.
        </Text>
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <TextInput label="Email" value={invitation.email} readOnly autoComplete="username" />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <PasswordInput
          label="Password"
          description="At least 12 characters"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} fullWidth mt="xs">
          Accept and log in
        </Button>
      </Stack>
    </form>
  );
}

function Refused({ message }: { readonly message: string }) {
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title="That did not work">
        {message}
      </Alert>
      <Anchor size="sm" renderRoot={(props) => <Link to="/login" {...props} />}>
        Log in with a password that you have
      </Anchor>
    </Stack>
  );
}
