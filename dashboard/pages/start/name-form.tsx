import { Alert, Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { showFieldFaults } from '../../kit/form-faults.ts';

interface NameFormProps {
  readonly initial: string;
  readonly label: string;
  readonly button: string;
  readonly domain?: string;
  readonly onSubmit: (values: { name: string; domain: string }) => Promise<unknown>;
}

/** A step's form: a name, and a domain where the step is a publisher's. */
export function NameForm({ initial, label, button, domain, onSubmit }: NameFormProps) {
  const form = useForm({ initialValues: { name: initial, domain: domain ?? '' } });
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = form.onSubmit(async (values) => {
    setBusy(true);
    setFault(null);
    try {
      await onSubmit(values);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    } finally {
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit}>
      {fault !== null && (
        <Alert color="red" role="alert" mb="sm">
          {fault}
        </Alert>
      )}
      <Group align="flex-end" gap="sm">
        <TextInput
          label={label}
          required
          maxLength={200}
          w={{ base: '100%', sm: 240 }}
          {...form.getInputProps('name')}
        />
        {domain !== undefined && (
          <TextInput label="Domain" required w={{ base: '100%', sm: 240 }} {...form.getInputProps('domain')} />
        )}
        <Button type="submit" loading={busy}>
          {button}
        </Button>
      </Group>
    </form>
  );
}
