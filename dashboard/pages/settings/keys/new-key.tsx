import { Alert, Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { useDataContext } from '../../../app/data-context.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import type { MadeApiKey } from './made-key.tsx';

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onMade: (key: MadeApiKey) => void;
}

export function NewKey({ onClose, onMade }: NewKeyProps) {
  const { sandbox } = useDataContext();
  const create = useChange('post', '/api/keys', { touches: ['/api/keys'] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: '', environment: (sandbox ? 'sandbox' : 'live') as 'live' | 'sandbox', expires_at: '' },
  });
  const submit = form.onSubmit(async ({ name, environment, expires_at }) => {
    try {
      setFault(null);
      // The field is of minutes in UTC.
      const ends = expires_at === '' ? {} : { expires_at: new Date(`${expires_at}Z`).toISOString() };
      onMade((await create.mutateAsync({ body: { name, environment, ...ends } })).body);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <Modal opened onClose={onClose} title="New API key">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <TextInput
            label="Name"
            description="What will use it"
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Radio.Group label="Environment" {...form.getInputProps('environment')}>
            <Group mt={6}>
              <Radio value="live" label="Live" />
              <Radio value="sandbox" label="Sandbox" />
            </Group>
          </Radio.Group>
          <TextInput
            label="Ends (UTC)"
            description="Empty: it does not end by itself"
            type="datetime-local"
            {...form.getInputProps('expires_at')}
          />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Generate key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
