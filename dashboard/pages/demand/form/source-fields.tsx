import { Accordion, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Mode, SourceValues } from './source-values.ts';

interface SourceFieldsProps {
  readonly mode: Mode;
  readonly form: UseFormReturnType<SourceValues>;
}

const SYNC_FIELDS = ['user_sync_url', 'user_sync_type', 'tcf_vendor_id'] as const;

/** The fields of a demand source, those that its mode has. */
export function SourceFields({ mode, form }: SourceFieldsProps) {
  const rtb = mode === 'rtb';
  // A fault in what is folded away would not be seen.
  const syncAtFault = SYNC_FIELDS.some((name) => form.errors[name] !== undefined);
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="What people call it; unique in this account"
        required
        maxLength={120}
        {...form.getInputProps('name')}
      />
      {rtb && (
        <TextInput
          label="Endpoint URL"
          description="Where bid requests are sent to by POST"
          placeholder="https://bid.example.com/openrtb"
          type="url"
          required
          {...form.getInputProps('endpoint_url')}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberInput
          label="Daily budget"
          description="In US dollars, by UTC day. Empty: unlimited"
          prefix="$"
          min={0}
          decimalScale={2}
          thousandSeparator=","
          placeholder="Unlimited"
          hideControls
          {...form.getInputProps('daily_budget_cents')}
        />
        <NumberInput
          label="Calls a second"
          description="At most, all edges together"
          min={1}
          allowDecimal={false}
          thousandSeparator=","
          hideControls
          {...form.getInputProps('qps_limit')}
        />
        {rtb && (
          <>
            <NumberInput
              label="Time to answer"
              description="In milliseconds, at most 150"
              suffix=" ms"
              min={1}
              allowDecimal={false}
              hideControls
              {...form.getInputProps('timeout_ms')}
            />
            <Select
              label="OpenRTB version"
              description="That bid requests are written in"
              data={['2.6', '2.5']}
              allowDeselect={false}
              {...form.getInputProps('openrtb_version')}
            />
            <Select
              label="Loss notices"
              description="How its lurl is called"
              data={['POST', 'GET']}
              allowDeselect={false}
              {...form.getInputProps('loss_notice_method')}
            />
            <Select
              label="Creatives"
              description="What is the same in every auction is hosted by the exchange"
              data={[
                { value: 'auto', label: 'Found out by what it sends' },
                { value: 'stable', label: 'The same under each crid' },
                { value: 'dynamic', label: 'Different in every auction' },
              ]}
              allowDeselect={false}
              {...form.getInputProps('creatives')}
            />
          </>
        )}
      </SimpleGrid>
      <Switch
        label="Keep an event feed"
        description="Each win and each billed impression, one by one, for seven days"
        {...form.getInputProps('event_feed', { type: 'checkbox' })}
      />
      <Accordion variant="contained" {...(syncAtFault && { value: 'sync' })}>
        <Accordion.Item value="sync">
          <Accordion.Control>
            <Text size="sm" fw={600} component="span">
              User matching
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="md">
              <TextInput
                label="User sync URL"
                description="What a browser is sent to, so that its users are known by the DSP's own ids. Empty: it is not called"
                placeholder={`https://sync.example.com/match?back=$\{REDIRECT_URL}`}
                {...form.getInputProps('user_sync_url')}
              />
              <Group grow align="flex-end">
                <Select
                  label="Called as"
                  data={[
                    { value: 'redirect', label: 'An image that may redirect' },
                    { value: 'iframe', label: 'A frame' },
                  ]}
                  allowDeselect={false}
                  {...form.getInputProps('user_sync_type')}
                />
                <NumberInput
                  label="Global Vendor List id"
                  placeholder="None"
                  min={1}
                  allowDecimal={false}
                  hideControls
                  {...form.getInputProps('tcf_vendor_id')}
                />
              </Group>
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
