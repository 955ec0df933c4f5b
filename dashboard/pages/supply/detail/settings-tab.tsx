import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { bringIntoView } from '../../../kit/bring-into-view.ts';
import { Section } from '../../../kit/figure.tsx';
import { fillSaved } from '../../../kit/fill-saved.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { SourceKeySection } from '../../../kit/source-key.tsx';
import { tellDone } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import { usePools } from '../../../kit/use-pools.ts';
import { SourcePeople } from '../../settings/users/source-people.tsx';
import { MainFields, MoreFields } from '../form/fields.tsx';
import { bodyOf, type SourceValues, valuesOf } from '../form/source-form.ts';
import type { Publisher } from '../publisher.ts';

/** What a publisher is and allows; its key. Only what was changed is sent. */
export function SettingsTab({ publisher, etag }: { readonly publisher: Publisher; readonly etag: string | null }) {
  const { body: pools } = usePools();
  const patch = useChange('patch', '/api/supply/sources/{id}', { touches: ['/api/supply', '/api/attention'] });
  const conflict = useConflict();
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<SourceValues>({ initialValues: valuesOf(publisher) });
  // The version that was opened: what is typed is of it, whatever others save in the meantime.
  const [opened, setOpened] = useState({ publisher, etag });

  const open = (next: typeof opened, sent = form.getValues()) => {
    setOpened(next);
    fillSaved(form, sent, valuesOf(next.publisher));
  };
  useEffect(() => {
    if (etag !== opened.etag && !form.isDirty()) open({ publisher, etag });
  });

  const save = async (of: string | null) => {
    setFault(null);
    const sent = form.getValues();
    const before = bodyOf(valuesOf(opened.publisher)) as Record<string, unknown>;
    const changed = Object.fromEntries(
      Object.entries(bodyOf(sent)).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value)),
    );
    try {
      const { body, etag: saved } = await patch.mutateAsync({
        params: { path: { id: publisher.id } },
        body: changed,
        etag: of,
      });
      open({ publisher: body, etag: saved }, sent);
      tellDone(`${sent.name} is saved.`);
    } catch (error) {
      if (conflict(error, { overwrite: () => save(null), reload: () => form.reset() })) return;
      setFault(showFieldFaults(form, error));
    }
  };

  return (
    <Stack gap="lg">
      <form onSubmit={form.onSubmit(() => save(opened.etag))}>
        <Section title="Settings">
          {fault !== null && (
            <Alert ref={bringIntoView} color="red" role="alert" title="It was not saved">
              {fault}
            </Alert>
          )}
          <MainFields form={form} pools={pools?.pools ?? []} />
          <MoreFields form={form} />
          <Group justify="flex-end" gap="sm">
            {form.isDirty() && (
              <Text size="sm" c="dimmed">
                Not saved yet
              </Text>
            )}
            <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
              Undo
            </Button>
            <Button type="submit" disabled={!form.isDirty()} loading={patch.isPending}>
              Save
            </Button>
          </Group>
        </Section>
      </form>
      <SourceKeySection of="supply" id={publisher.id} name={publisher.name} />
      <SourcePeople of="publisher" id={publisher.id} name={publisher.name} />
    </Stack>
  );
}
