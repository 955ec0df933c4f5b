import { Alert, Button, Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Section } from '../../kit/figure.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { Page } from '../../kit/page.tsx';
import { tellDone } from '../../kit/tell.ts';
import type { Method } from '../../kit/test-request.ts';
import { usePools } from '../../kit/use-pools.ts';
import { useView } from '../../kit/use-view.ts';
import { isMethod } from './detail/integration-tab.tsx';
import { METHOD_NAMES } from './detail/snippets.ts';
import { MainFields, MoreFields } from './form/fields.tsx';
import { bodyOf, NEW_SOURCE, type SourceValues } from './form/source-form.ts';

const METHODS: readonly { readonly value: Method; readonly what: string }[] = [
  { value: 'js-tag', what: 'Two lines in a page. Banners and native units.' },
  { value: 'vast', what: 'One address in a video player. Apps, CTV, web video.' },
  { value: 'prebid', what: 'Beside other exchanges, in Prebid.js or Prebid Server.' },
  { value: 'openrtb', what: 'Your own server sends OpenRTB 2.5 or 2.6.' },
];

/** Makes a publisher and goes on to the snippet of the integration method that was chosen. */
export function NewSupplyPage() {
  const [view, setView] = useView({ method: 'js-tag' });
  const method = isMethod(view.method) ? view.method : 'js-tag';
  const navigate = useNavigate();
  const { body: pools } = usePools();
  const create = useChange('post', '/api/supply/sources');
  const [fault, setFault] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  const form = useForm<SourceValues>({ initialValues: NEW_SOURCE });

  const submit = form.onSubmit(async (values) => {
    setFault(null);
    try {
      const { body } = await create.mutateAsync({ body: bodyOf(values) });
      tellDone(`${values.name} is there.`);
      await navigate({ to: '/supply/$id', params: { id: body.id }, search: { tab: 'integration', method } as never });
    } catch (error) {
      setAll(true);
      setFault(showFieldFaults(form, error));
    }
  });

  return (
    <Page title="New publisher" parent={{ to: '/supply', label: 'Supply' }}>
      <form onSubmit={submit}>
        <Stack gap="lg" maw={900}>
          {fault !== null && (
            <Alert ref={bringIntoView} color="red" role="alert" title="It was not created">
              {fault}
            </Alert>
          )}
          <Section title="Publisher">
            <MainFields form={form} pools={pools?.pools ?? []} />
            {all && <MoreFields form={form} />}
            {!all && (
              <Button
                variant="subtle"
                size="compact-sm"
                style={{ alignSelf: 'flex-start' }}
                onClick={() => setAll(true)}
              >
                Block lists, identities and more
              </Button>
            )}
          </Section>
          <Section title="Integration method" description="How it will ask for ads; the snippet comes next.">
            <Radio.Group
              aria-label="Integration method"
              value={method}
              onChange={(value) => setView({ method: value })}
            >
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
                {METHODS.map(({ value, what }) => (
                  <Radio.Card key={value} value={value} p="sm" radius="md">
                    <Group wrap="nowrap" align="flex-start" gap="sm">
                      <Radio.Indicator />
                      <div>
                        <Text size="sm" fw={600}>
                          {METHOD_NAMES[value]}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {what}
                        </Text>
                      </div>
                    </Group>
                  </Radio.Card>
                ))}
              </SimpleGrid>
            </Radio.Group>
          </Section>
          <Group justify="flex-end">
            <Button variant="default" renderRoot={(props) => <Link to="/supply" {...props} />}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create publisher
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}
