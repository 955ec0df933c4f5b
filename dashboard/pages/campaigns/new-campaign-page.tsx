import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Section } from '../../kit/figure.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { Page } from '../../kit/page.tsx';
import { SourceSelect } from '../../kit/source-select.tsx';
import { tellDone } from '../../kit/tell.ts';
import { useView } from '../../kit/use-view.ts';
import { BiddingFields, CreativesFields, TargetingFields } from './form/campaign-fields.tsx';
import { bodyOf, type CampaignValues, newCampaign } from './form/campaign-values.ts';

/** Makes a campaign of a delegate. */
export function NewCampaignPage() {
  const [{ dsp }] = useView({ dsp: '' });
  const navigate = useNavigate();
  const form = useForm<CampaignValues>({ initialValues: newCampaign(dsp) });
  const [fault, setFault] = useState<string | null>(null);
  const create = useChange('post', '/api/campaigns', { touches: ['/api/campaigns', '/api/overview'] });

  const submit = form.onSubmit(async (values) => {
    try {
      setFault(null);
      const { body } = await create.mutateAsync({ body: { dsp_id: values.dsp_id, ...bodyOf(values) } as never });
      tellDone(`${body.campaign_name} is created.`);
      await navigate({ to: '/campaigns/$id', params: { id: body.id }, search: { tab: 'creatives' } as never });
    } catch (error) {
      setFault(showFieldFaults(form, error));
    }
  });

  return (
    <Page
      title="New campaign"
      parent={{ to: '/campaigns', label: 'Campaigns' }}
      description="The exchange bids for it, in every auction of the pools that its demand source takes traffic from."
    >
      <form onSubmit={submit}>
        <Stack gap="lg" maw={960}>
          {fault !== null && (
            <Alert ref={bringIntoView} color="red" role="alert" title="It was not created">
              {fault}
            </Alert>
          )}
          <Section title="Campaign">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              <TextInput
                label="Name"
                description="For people"
                required
                maxLength={128}
                {...form.getInputProps('campaign_name')}
              />
              <SourceSelect
                of="dsp"
                mode="delegate"
                label="Demand source"
                description="A delegate: whose budget it spends"
                placeholder="Choose a delegate"
                required
                value={form.getValues().dsp_id}
                onChange={(id) => form.setFieldValue('dsp_id', id)}
                error={form.errors.dsp_id}
              />
            </SimpleGrid>
          </Section>
          <BiddingFields form={form} />
          <CreativesFields form={form} />
          <TargetingFields form={form} />
          <Paper>
            <Group justify="space-between">
              <Text size="sm" c="dimmed" role="status">
                {create.isPending
                  ? 'Fetching what its creatives are made of …'
                  : 'It bids from a moment after it is created.'}
              </Text>
              <Group gap="xs">
                <Button variant="default" renderRoot={(props) => <Link to="/campaigns" {...props} />}>
                  Cancel
                </Button>
                <Button type="submit" loading={create.isPending}>
                  Create campaign
                </Button>
              </Group>
            </Group>
          </Paper>
        </Stack>
      </form>
    </Page>
  );
}
