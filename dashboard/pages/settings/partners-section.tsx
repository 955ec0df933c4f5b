import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { useChange } from '../../api/queries.ts';
import { Empty } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Section } from '../../kit/figure.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { tellDone } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';
import { useView } from '../../kit/use-view.ts';

type Partner = components['schemas']['Partner'];

/** On whose behalf the account acts. What belongs to one of them is chosen above, beside the sandbox switch. */
export default function PartnersSection() {
  const [view, setView] = useView({ sort: 'name' });
  const list = useList('/api/partners', { sort: view.sort }, { rows: (body) => body.partners });
  const [named, setNamed] = useState<Partner | 'new' | null>(null);
  const columns: Column<Partner>[] = [
    {
      id: 'name',
      header: 'Name',
      sort: 'name',
      cell: ({ name }) => (
        <Text size="sm" truncate maw={320} title={name}>
          {name}
        </Text>
      ),
    },
    { id: 'id', header: 'Id', wide: true, cell: ({ id }) => <Id value={id} what="the partner id" short /> },
    { id: 'created', header: 'Since', sort: 'created_at', cell: ({ created_at }) => <Time at={created_at} ago /> },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (partner) => (
        <Button size="compact-xs" variant="default" onClick={() => setNamed(partner)}>
          Rename
        </Button>
      ),
    },
  ];
  const add = <Button onClick={() => setNamed('new')}>Add a partner</Button>;
  return (
    <Section
      title="Partners"
      description="Publishers and demand sources may belong to a partner that you act for."
      actions={add}
    >
      <DataTable
        caption="Partners"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        sort={view.sort}
        onSort={(sort) => setView({ sort })}
        empty={
          <Empty title="You act for no partner" action={add}>
            Add one, and give sources to it: its figures and reports are then kept apart.
          </Empty>
        }
      />
      {named !== null && <NamePartner partner={named === 'new' ? null : named} onClose={() => setNamed(null)} />}
    </Section>
  );
}

function NamePartner({ partner, onClose }: { readonly partner: Partner | null; readonly onClose: () => void }) {
  const create = useChange('post', '/api/partners');
  const rename = useChange('patch', '/api/partners/{id}');
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ initialValues: { name: partner?.name ?? '' } });
  const submit = form.onSubmit(async (body) => {
    try {
      if (partner === null) await create.mutateAsync({ body });
      else await rename.mutateAsync({ params: { path: { id: partner.id } }, body });
      tellDone(partner === null ? `${body.name} is added.` : `It is ${body.name} now.`);
      onClose();
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });
  return (
    <Modal opened onClose={onClose} title={partner === null ? 'New partner' : 'Rename the partner'}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault !== null && (
            <Text c="red" size="sm" role="alert">
              {fault}
            </Text>
          )}
          <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending || rename.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
