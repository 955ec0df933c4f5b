import { Alert, Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useChange } from '../../../api/queries.ts';
import { bringIntoView } from '../../../kit/bring-into-view.ts';
import { Section } from '../../../kit/figure.tsx';
import { fillSaved } from '../../../kit/fill-saved.ts';
import { showFieldFaults } from '../../../kit/form-faults.ts';
import { tellDone } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import type { Campaign } from '../campaign.ts';
import { BiddingFields, CreativesFields, TargetingFields } from '../form/campaign-fields.tsx';
import { type CampaignValues, changesOf, valuesOf } from '../form/campaign-values.ts';

interface SettingsTabProps {
  readonly campaign: Campaign;
  readonly etag: string | null;
}

/** What the campaign says; one that came with a strategy is changed there. */
export function SettingsTab({ campaign, etag }: SettingsTabProps) {
  if (campaign.origin === 'strategy') {
    return (
      <Section title="Settings">
        <Text size="sm">
          This campaign came with the strategy of its demand source, and is changed there.{' '}
          <Anchor
            underline="always"
            inherit
            renderRoot={(props) => (
              <Link
                to="/demand/$id"
                params={{ id: campaign.dsp_id }}
                search={{ tab: 'strategy' } as never}
                {...props}
              />
            )}
          >
            Open the strategy
          </Anchor>
        </Text>
      </Section>
    );
  }
  return <SettingsForm campaign={campaign} etag={etag} />;
}

/** Only what was changed is sent. */
function SettingsForm({ campaign, etag }: SettingsTabProps) {
  const patch = useChange('patch', '/api/campaigns/{id}', { touches: ['/api/campaigns', '/api/attention'] });
  const conflict = useConflict();
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm<CampaignValues>({ initialValues: valuesOf(campaign) });
  // The version that was opened: what is typed is of it, whatever others save in the meantime.
  const [opened, setOpened] = useState({ campaign, etag });

  const open = (next: typeof opened, sent = form.getValues()) => {
    setOpened(next);
    fillSaved(form, sent, valuesOf(next.campaign));
  };
  useEffect(() => {
    if (etag !== opened.etag && !form.isDirty()) open({ campaign, etag });
  });

  const save = async (of: string | null) => {
    setFault(null);
    const sent = form.getValues();
    try {
      const { body, etag: saved } = await patch.mutateAsync({
        params: { path: { id: campaign.id } },
        body: changesOf(valuesOf(opened.campaign), sent) as never,
        etag: of,
      });
      open({ campaign: body, etag: saved }, sent);
      tellDone(`${body.campaign_name} is saved.`);
    } catch (error) {
      if (conflict(error, { overwrite: () => save(null), reload: () => form.reset() })) return;
      setFault(showFieldFaults(form, error));
    }
  };

  return (
    <form onSubmit={form.onSubmit(() => save(opened.etag))}>
      <Stack gap="lg" maw={960}>
        {fault !== null && (
          <Alert ref={bringIntoView} color="red" role="alert" title="It was not saved">
            {fault}
          </Alert>
        )}
        <Section title="Campaign">
          <TextInput label="Name" required maxLength={128} {...form.getInputProps('campaign_name')} />
        </Section>
        <BiddingFields form={form} />
        <CreativesFields form={form} />
        <TargetingFields form={form} />
        <Paper>
          <Group justify="flex-end" gap="sm">
            <Text size="sm" c="dimmed" role="status">
              {patch.isPending ? 'Saving; new creatives are fetched first …' : form.isDirty() ? 'Not saved yet' : ''}
            </Text>
            <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
              Undo
            </Button>
            <Button type="submit" disabled={!form.isDirty()} loading={patch.isPending}>
              Save
            </Button>
          </Group>
        </Paper>
      </Stack>
    </form>
  );
}
