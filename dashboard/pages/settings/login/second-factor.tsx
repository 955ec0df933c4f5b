import { Alert, Anchor, Button, Code, Group, List, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useChange } from '../../../api/queries.ts';
import { sessionQuery, useSession } from '../../../app/session/session.ts';
import { Copy } from '../../../kit/copy.tsx';
import { Section } from '../../../kit/figure.tsx';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { Status } from '../../../kit/status.tsx';
import { tellDone } from '../../../kit/tell.ts';

type NewFactor = components['schemas']['NewSecondFactor'];
const show = { 'aria-label': 'Show what is typed' };

/** Setting up codes of an authenticator app, or taking them off again. */
export function SecondFactor() {
  const { user } = useSession();
  return (
    <Section
      title="Second factor"
      description="A code of an authenticator app, beside the password."
      actions={<Status of={user.second_factor ? 'active' : 'off'} label={user.second_factor ? 'On' : 'Off'} />}
    >
      {user.second_factor ? <Remove /> : <Enrol />}
    </Section>
  );
}

function Enrol() {
  const enrol = useChange('post', '/api/auth/second-factor', { touches: [] });
  const [made, setMade] = useState<NewFactor | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  if (made !== null) return <Confirm made={made} onDone={() => setMade(null)} />;

  const submit = form.onSubmit(async (body) => {
    try {
      setFault(null);
      setMade((await enrol.mutateAsync({ body })).body);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack maw={420} gap="sm">
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={show}
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" variant="default" loading={enrol.isPending}>
            Set up a second factor
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The secret and the recovery codes are seen here once. */
function Confirm({ made, onDone }: { readonly made: NewFactor; readonly onDone: () => void }) {
  const client = useQueryClient();
  const confirm = useChange('post', '/api/auth/second-factor/confirm', { touches: [] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const submit = form.onSubmit(async (body) => {
    try {
      setFault(null);
      await confirm.mutateAsync({ body });
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onDone();
      tellDone('The second factor is on. You need a code the next time you log in.');
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={520}>
        <Text size="sm">
          1. Enter this secret in your authenticator app, or <Anchor href={made.otpauth_url}>open it there</Anchor>.
        </Text>
        <Group gap={4}>
          <Code>{made.secret}</Code>
          <Copy value={made.secret} what="the secret" />
        </Group>
        <Group gap={4}>
          <Text size="sm">
            2. Keep these recovery codes in a safe place. Each works once; they are not shown again.
          </Text>
          <Copy value={made.recovery_codes.join('\n')} what="the recovery codes" />
        </Group>
        <List size="sm" listStyleType="none">
          {made.recovery_codes.map((code) => (
            <List.Item key={code}>
              <Code>{code}</Code>
            </List.Item>
          ))}
        </List>
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <TextInput
          label="3. A code of the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maw={200}
          {...form.getInputProps('code')}
        />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            Turn it on
          </Button>
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove() {
  const client = useQueryClient();
  const remove = useChange('delete', '/api/auth/second-factor', { touches: [] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '', code: '' } });
  const submit = form.onSubmit(async (body) => {
    try {
      setFault(null);
      await remove.mutateAsync({ body });
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      tellDone('The second factor is off.');
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <form onSubmit={submit}>
      <Stack maw={420} gap="sm">
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={show}
          {...form.getInputProps('password')}
        />
        <TextInput
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <Group>
          <Button type="submit" color="red" variant="light" loading={remove.isPending}>
            Turn the second factor off
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
