import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ApiFault } from '../../api/fault.ts';
import { type Session, sessionQuery } from './session.ts';

interface LogInFormProps {
  readonly email?: string;
  readonly onLoggedIn: (session: Session) => void | Promise<void>;
}

/** Email, password and, for accounts that have one, the code of the second factor, asked for once it is wanted. */
export function LogInForm({ email = '', onLoggedIn }: LogInFormProps) {
  const client = useQueryClient();
  const [asksCode, setAsksCode] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email, password: '', code: '' } });

  const submit = form.onSubmit(async ({ email, password, code }) => {
    setBusy(true);
    setRefusal(null);
    try {
      await api.POST('/api/auth/login', { body: { email, password, ...(code !== '' && { code: code.trim() }) } });
      const session = await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (session !== null) await onLoggedIn(session);
    } catch (fault) {
      if (!(fault instanceof ApiFault)) throw fault;
      const wantsCode = fault.fields.some(({ field }) => field === 'code');
      if (wantsCode) setAsksCode(true);
      if (!wantsCode || asksCode) setRefusal(fault.message);
    } finally {
      setBusy(false);
    }
  });

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {refusal !== null && (
          <Alert color="red" role="alert">
            {refusal}
          </Alert>
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          required
          autoFocus={email === ''}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={email !== ''}
          visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
          {...form.getInputProps('password')}
        />
        {asksCode && (
          <TextInput
            label="Code"
            description="Of your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            required
            {...form.getInputProps('code')}
          />
        )}
        <Button type="submit" loading={busy} fullWidth mt="xs">
          Log in
        </Button>
      </Stack>
    </form>
  );
}
