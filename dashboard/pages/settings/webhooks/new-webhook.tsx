import { Alert, Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useChange } from '../../../api/queries.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';

type Event = components['schemas']['CreateWebhookRequest']['events'][number];

const EVENTS: readonly { readonly value: Event; readonly label: string }[] = [
  { value: 'publisher.verified', label: 'A publisher is verified by its ads.txt' },
  { value: 'publisher.verification_failed', label: 'The verification of a publisher fails' },
  { value: 'publisher.fill_rate_alert', label: "A publisher's fill rate falls below its threshold" },
  { value: 'pool.dsp_joined', label: 'A demand source joins a pool' },
  { value: 'creative.blocked', label: 'A creative is blocked' },
];

interface NewWebhookProps {
  readonly onClose: () => void;
  /** With the secret, which is answered this once. */
  readonly onMade: (secret: string) => void;
}

export function NewWebhook({ onClose, onMade }: NewWebhookProps) {
  const create = useChange('post', '/api/webhooks', { touches: ['/api/webhooks'] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ initialValues: { url: '', events: EVENTS.map(({ value }) => value) as string[] } });
  const submit = form.onSubmit(async ({ url, events }) => {
    try {
      setFault(null);
      onMade((await create.mutateAsync({ body: { url, events: events as Event[] } })).body.secret);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <Modal opened onClose={onClose} title="New webhook">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <TextInput
            label="URL"
            type="url"
            placeholder="https://example.com/events"
            required
            data-autofocus
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label="Events" {...form.getInputProps('events')}>
            <Stack gap={8} mt={6}>
              {EVENTS.map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} description={value} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
