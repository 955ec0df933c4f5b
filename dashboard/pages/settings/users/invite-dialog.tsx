import { Alert, Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { useIsOperator } from '../../../app/session/session.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { SourceSelect } from '../../../kit/source-select.tsx';
import type { Invited } from './invited-dialog.tsx';

interface InviteDialogProps {
  /** Of whose people alone somebody is invited; without it, that is chosen. */
  readonly source?: { readonly of: 'publisher' | 'dsp'; readonly id: string; readonly name: string };
  readonly onClose: () => void;
  readonly onInvited: (made: Invited) => void;
}

type As = 'publisher' | 'dsp' | 'member' | 'operator';

const HOURS = [
  { value: '24', label: 'A day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'A week' },
];

export function InviteDialog({ source: fixed, onClose, onInvited }: InviteDialogProps) {
  const operator = useIsOperator();
  const create = useChange('post', '/api/invitations', { touches: ['/api/invitations'] });
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      email: '',
      name: '',
      as: (fixed?.of ?? 'publisher') as As,
      source: fixed?.id ?? '',
      hours: '72',
    },
  });
  const { as } = form.values;
  const ofSource = as === 'publisher' || as === 'dsp';

  const submit = form.onSubmit(async ({ email, name, as, source, hours }) => {
    if (ofSource && source === '') return form.setFieldError('source', 'Choose whose people they are.');
    try {
      setFault(null);
      const role = as === 'member' || as === 'operator' ? as : 'source';
      const { body } = await create.mutateAsync({
        body: {
          email,
          role,
          ...(name !== '' && { name }),
          ...((as === 'publisher' || as === 'dsp') && { source: { type: as, id: source } }),
          expires_in_hours: Number(hours),
        },
      });
      onInvited(body);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });

  return (
    <Modal opened onClose={onClose} title={fixed === undefined ? 'Invite somebody' : `Invite people of ${fixed.name}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <TextInput
            label="Email"
            description="What they will log in with"
            type="email"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          <TextInput label="Name" {...form.getInputProps('name')} />
          {fixed === undefined && (
            <Select
              label="As"
              allowDeselect={false}
              data={[
                { value: 'publisher', label: 'People of a publisher' },
                { value: 'dsp', label: 'People of a demand source' },
                { value: 'member', label: 'Member of this account' },
                ...(operator ? [{ value: 'operator', label: 'Operator of the exchange' }] : []),
              ]}
              {...form.getInputProps('as')}
              onChange={(value) => form.setValues({ as: (value ?? 'publisher') as As, source: '' })}
            />
          )}
          {fixed === undefined && (as === 'publisher' || as === 'dsp') && (
            <SourceSelect
              of={as}
              label={as === 'publisher' ? 'Publisher' : 'Demand source'}
              value={form.values.source}
              onChange={(id) => form.setFieldValue('source', id)}
              error={form.errors.source}
            />
          )}
          <Select label="The link is good for" allowDeselect={false} data={HOURS} {...form.getInputProps('hours')} />
          <Group justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Make the link
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
