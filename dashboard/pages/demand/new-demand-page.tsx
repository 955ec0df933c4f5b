import { Alert, Button, Group, Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useDataContext } from '../../app/data-context.ts';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Section } from '../../kit/figure.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { Page } from '../../kit/page.tsx';
import { useView } from '../../kit/use-view.ts';
import { PoolChoice } from './form/pool-choice.tsx';
import { SourceFields } from './form/source-fields.tsx';
import { bodyOf, type Mode, NEW_SOURCE, type SourceValues } from './form/source-values.ts';
import { MODE_WORDS } from './mode-words.ts';
import { CreatedSource } from './new/created-source.tsx';
import { STEP_WORDS, useCreateSource } from './new/use-create-source.ts';

const PARENT = { to: '/demand', label: 'Demand' };

/** Connects a DSP: what it is, its settings, its pools; then its key and what comes next. */
export function NewDemandPage() {
  const [view, setView] = useView({ mode: 'rtb', made: '', name: '', endpoint: '' });
  const [undone, setUndone] = useState<readonly string[]>([]);
  if (view.made !== '') {
    return <CreatedSource key={view.made} id={view.made} undone={undone} />;
  }
  return (
    <Page
      title="New demand source"
      parent={PARENT}
      description="It is offered the traffic of the pools that it subscribes to."
    >
      <NewSourceForm
        mode={view.mode === 'delegate' ? 'delegate' : 'rtb'}
        onMode={(mode) => setView({ mode })}
        suggested={{ name: view.name, endpoint_url: view.endpoint }}
        onMade={(id, left) => {
          setUndone(left);
          setView({ made: id, name: '', endpoint: '' });
        }}
      />
    </Page>
  );
}

interface NewSourceFormProps {
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
  readonly suggested: Pick<SourceValues, 'name' | 'endpoint_url'>;
  /** With what could not be done for it. */
  readonly onMade: (id: string, undone: readonly string[]) => void;
}

function NewSourceForm({ mode, onMode, suggested, onMade }: NewSourceFormProps) {
  const { sandbox } = useDataContext();
  const form = useForm<SourceValues>({ initialValues: { ...NEW_SOURCE, ...suggested } });
  const [pools, setPools] = useState<string[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const create = useCreateSource();

  const submit = form.onSubmit(async (values) => {
    try {
      setFault(null);
      const { id, undone } = await create.run({ mode, ...bodyOf(mode, values) }, pools);
      onMade(id, undone);
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });

  return (
    <form onSubmit={submit}>
      <Stack gap="lg" maw={860}>
        <Section title="How it buys">
          <Radio.Group aria-label="How it buys" value={mode} onChange={(value) => onMode(value as Mode)}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              {(['rtb', 'delegate'] as const).map((one) => (
                <Radio.Card
                  key={one}
                  value={one}
                  p="md"
                  h="100%"
                  display="flex"
                  style={{ alignItems: 'flex-start' }}
                  aria-label={MODE_WORDS[one].short}
                >
                  <Group wrap="nowrap" align="flex-start" gap="sm">
                    <Radio.Indicator mt={2} />
                    <div>
                      <Text fw={600} size="sm">
                        {MODE_WORDS[one].short}
                      </Text>
                      <Text size="sm" c="dimmed">
                        {MODE_WORDS[one].long}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </SimpleGrid>
          </Radio.Group>
        </Section>
        <Section
          title="Settings"
          description={
            sandbox ? 'It is made in the sandbox: it buys test traffic alone, and nothing is billed.' : undefined
          }
        >
          {fault !== null && (
            <Alert ref={bringIntoView} color="red" role="alert" title="It was not created">
              {fault}
            </Alert>
          )}
          <SourceFields mode={mode} form={form} />
          <PoolChoice value={pools} onChange={setPools} />
        </Section>
        <Paper>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {create.step === null ? 'Its key is shown next.' : STEP_WORDS[create.step]}
            </Text>
            <Group gap="xs">
              <Button variant="default" renderRoot={(props) => <Link to="/demand" {...props} />}>
                Cancel
              </Button>
              <Button type="submit" loading={create.step !== null}>
                Create demand source
              </Button>
            </Group>
          </Group>
        </Paper>
      </Stack>
    </form>
  );
}
