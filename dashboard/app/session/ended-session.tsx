import { Modal, Text } from '@mantine/core';
import { LogInForm } from './log-in-form.tsx';
import type { Session } from './session.ts';

interface EndedSessionProps {
  readonly email: string;
  readonly onLoggedIn: (session: Session) => void | Promise<void>;
}

/** Asks for the password over the page. */
export default function EndedSession({ email, onLoggedIn }: EndedSessionProps) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <Text size="sm" c="dimmed" mb="md">
        Log in to go on where you were. Nothing that you typed is lost.
      </Text>
      <LogInForm email={email} onLoggedIn={onLoggedIn} />
    </Modal>
  );
}
