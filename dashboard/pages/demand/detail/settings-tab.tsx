import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { bringIntoView } from '../../../kit/bring-into-view.ts';
import { Section } from '../../../kit/figure.tsx';
import { fillSaved } from '../../../kit/fill-saved.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { tellDone } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import { SourcePeople } from '../../settings/users/source-people.tsx';
import { SourceFields } from '../form/source-fields.tsx';
import { changesOf, type SourceValues, valuesOf } from '../form/source-values.ts';
import { KeyPanel } from '../key-panel.tsx';
import { LifeSection } from './life-section.tsx';
import type { TabProps } from './tab-props.ts';

/** What the source is set to, its key, and the end of it. */
export default function SettingsTab({ source, etag }: TabProps) {
  const archived = source.status === 'archived';
  return (
    <Stack gap="lg" maw={860}>
      {archived ? (
        <Alert color="gray" title="It is archived">
          It is asked for no bids and cannot be changed. Its reports and statements stay.
        </Alert>
      ) : (
        <>
          <SettingsForm source={source} etag={etag} />
          <KeyPanel id={source.id} name={source.name} />
          <SourcePeople of="dsp" id={source.id} name={source.name} />
          <LifeSection source={source} etag={etag} />
        </>
      )}
    </Stack>
  );
}

function SettingsForm({ source, etag }: TabProps) {
  const form = useForm<SourceValues>({ initialValues: valuesOf(source) });
  const change = useChange('patch', '/api/demand/sources/{id}', { touches: ['/api/demand'] });
  const conflict = useConflict();
  const [fault, setFault] = useState<string | null>(null);
  /**
   * Of the version that the fields were filled from: a version that comes in while the user types is not the one that
   * was edited.
   */
  const [seen, setSeen] = useState(etag);
  const dirty = form.isDirty();

  const fill = (values: SourceValues, version: string | null, sent = form.getValues()) => {
    fillSaved(form, sent, values);
    form.clearErrors();
    setFault(null);
    setSeen(version);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version fills the fields, unless the user is editing them
  useEffect(() => {
    if (etag !== seen && !dirty) fill(valuesOf(source), etag);
  }, [source, etag, dirty]);

  const save = async (values: SourceValues, version: string | null): Promise<void> => {
    try {
      setFault(null);
      const init = {
        params: { path: { id: source.id } },
        body: changesOf(source.mode, form.getInitialValues(), values),
      };
      const { body, etag: next } = await change.mutateAsync({ ...init, etag: version });
      fill(valuesOf(body), next, values);
      tellDone(`${body.name} is saved. Edges use it within seconds.`);
    } catch (error) {
      const choice = { overwrite: () => save(values, null), reload: () => form.reset() };
      if (!conflict(error, choice)) setFault(showFieldFaults(form, error));
    }
  };

  return (
    <Section title="Settings">
      <form onSubmit={form.onSubmit((values) => save(values, seen))}>
        <Stack gap="md">
          {fault !== null && (
            <Alert ref={bringIntoView} color="red" role="alert" title="It was not saved">
              {fault}
            </Alert>
          )}
          <SourceFields mode={source.mode} form={form} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={!dirty} onClick={() => fill(valuesOf(source), etag)}>
              Undo changes
            </Button>
            <Button type="submit" disabled={!dirty} loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
