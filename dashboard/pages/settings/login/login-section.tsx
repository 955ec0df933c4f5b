import { Stack } from '@mantine/core';
import { OpenSessions } from './open-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';

/** One's own login: password, second factor, and where one is logged in. */
export default function LoginSection() {
  return (
    <Stack gap="lg">
      <PasswordForm />
      <SecondFactor />
      <OpenSessions />
    </Stack>
  );
}
