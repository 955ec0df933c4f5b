import { Checkbox, NumberInput, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TYPES } from '../publisher.ts';
import type { SourceValues } from './source-form.ts';

interface FieldsProps {
  readonly form: UseFormReturnType<SourceValues>;
  readonly pools: readonly { readonly id: string; readonly name: string }[];
}

/** What a publisher cannot be without. */
export function MainFields({ form, pools }: FieldsProps) {
  const app = form.getValues().type !== 'web';
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TextInput
        label="Name"
        description="What you call it here"
        required
        maxLength={120}
        {...form.getInputProps('name')}
      />
      <Select
        label="Type"
        description="What its viewers look at"
        data={[...TYPES]}
        allowDeselect={false}
        {...form.getInputProps('type')}
      />
      <TextInput
        label={app ? 'App bundle or domain' : 'Domain'}
        description={
          app ? 'com.example.app: requests of other apps are blocked' : 'news.example: pages of other sites are blocked'
        }
        required
        {...form.getInputProps('domain')}
      />
      <Select
        label="Pool"
        description="Demand that buys from the pool is asked for its ads"
        placeholder="None yet"
        clearable
        searchable
        data={pools.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('pool_id')}
        value={form.getValues().pool_id || null}
        onChange={(value) => form.setFieldValue('pool_id', value ?? '')}
      />
      <NumberInput
        label="Floor (CPM, USD)"
        description="Bids below it lose. Empty: none of its own"
        min={0}
        decimalScale={6}
        prefix="$"
        {...form.getInputProps('floor_price_cpm')}
      />
      <TextInput
        label="Content genre"
        description="Told to bidders where a request says none"
        placeholder="news"
        {...form.getInputProps('content_genre')}
      />
    </SimpleGrid>
  );
}

/** Who may not advertise, who sells, and how it is guarded. */
export function MoreFields({ form }: Pick<FieldsProps, 'form'>) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <TagsInput
        label="Blocked categories"
        description="IAB categories whose ads never show; Enter adds one"
        placeholder="IAB25"
        clearable
        {...form.getInputProps('blocked_categories')}
      />
      <TagsInput
        label="Blocked advertisers"
        description="Domains whose ads never show; Enter adds one"
        placeholder="competitor.example"
        clearable
        {...form.getInputProps('blocked_domains')}
      />
      <TagsInput
        label="Further identities"
        description="Other domains and bundles that ask for this publisher"
        placeholder="com.example.tv"
        clearable
        {...form.getInputProps('identities')}
      />
      <TextInput
        label="Developer’s domain"
        description="Of an app: where its app-ads.txt lies"
        placeholder="developer.example"
        {...form.getInputProps('developer_domain')}
      />
      <Select
        label="Seller type"
        description="What sellers.json says of it"
        allowDeselect={false}
        data={[
          { value: 'PUBLISHER', label: 'Publisher: owns the inventory' },
          { value: 'INTERMEDIARY', label: 'Intermediary: sells for others' },
          { value: 'BOTH', label: 'Both' },
        ]}
        {...form.getInputProps('seller_type')}
      />
      <Select
        label="Impressions are told by"
        description="Who calls the billing notice of OpenRTB sales"
        allowDeselect={false}
        data={[
          { value: 'both', label: 'Its server or the viewer’s device' },
          { value: 'server', label: 'Its server' },
          { value: 'client', label: 'The viewer’s device' },
        ]}
        {...form.getInputProps('billing_notice')}
      />
      <NumberInput
        label="Alert below this fill rate"
        description="0 to 1; a webhook is told. Empty: never"
        min={0}
        max={1}
        step={0.05}
        decimalScale={4}
        {...form.getInputProps('fill_rate_alert_threshold')}
      />
      <div>
        <Checkbox
          mt={6}
          label="Its requests must carry its source key"
          description="For servers alone: a page cannot keep a key"
          {...form.getInputProps('require_key', { type: 'checkbox' })}
        />
        <Checkbox
          mt="sm"
          label="Confidential in sellers.json"
          description="Its name and domain are not published"
          {...form.getInputProps('is_confidential', { type: 'checkbox' })}
        />
      </div>
    </SimpleGrid>
  );
}
