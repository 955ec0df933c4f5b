import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { Section } from '../../../kit/figure.tsx';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { tellDone } from '../../../kit/tell.ts';

const show = { 'aria-label': 'Show what is typed' };

/** Changing the password ends all other sessions of this user. */
export function PasswordForm() {
  const change = useChange('put', '/api/auth/password');
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { current_password: '', new_password: '' } });

  const submit = form.onSubmit(async (body) => {
    setFault(null);
    try {
      await change.mutateAsync({ body });
      form.reset();
      tellDone('Your password is changed. Your other sessions have ended.');
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });

  return (
    <Section title="Password" description="Changing it ends your sessions in other browsers.">
      <form onSubmit={submit}>
        <Stack maw={420} gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={show}
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            required
            visibilityToggleButtonProps={show}
            key={form.key('new_password')}
            {...form.getInputProps('new_password')}
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
