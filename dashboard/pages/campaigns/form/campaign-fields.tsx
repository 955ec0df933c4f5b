import { Button, Divider, NumberInput, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PlusIcon } from '@primer/octicons-react';
import { Fragment } from 'react';
import { Section } from '../../../kit/figure.tsx';
import { PACINGS, ROTATIONS } from '../campaign.ts';
import type { CampaignValues } from './campaign-values.ts';
import { CreativeFields } from './creative-fields.tsx';
import { NEW_CREATIVE } from './creative-values.ts';

interface FieldsProps {
  readonly form: UseFormReturnType<CampaignValues>;
}

const MOST_CREATIVES = 50;
const DEVICES = ['ctv', 'mobile', 'tablet', 'desktop'];

const dollars = {
  prefix: '$',
  min: 0,
  thousandSeparator: ',',
  hideControls: true,
} as const;

/** What it bids and may spend. */
export function BiddingFields({ form }: FieldsProps) {
  return (
    <Section title="Bids and budget" description="In US dollars. A budget is spent by impressions that were shown.">
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="md">
        <NumberInput
          label="Bid (CPM)"
          description="For a thousand impressions"
          required
          decimalScale={6}
          {...dollars}
          {...form.getInputProps('bidding.base_cpm')}
        />
        <NumberInput
          label="Highest bid (CPM)"
          description="No rule raises a bid above it"
          placeholder="No limit"
          decimalScale={6}
          {...dollars}
          {...form.getInputProps('bidding.max_cpm')}
        />
        <NumberInput
          label="Priority"
          description="The highest one goes first"
          placeholder="0"
          allowDecimal={false}
          hideControls
          {...form.getInputProps('priority')}
        />
        <NumberInput
          label="Daily budget"
          description="By UTC day"
          placeholder="Unlimited"
          decimalScale={2}
          {...dollars}
          {...form.getInputProps('budget.daily_cents')}
        />
        <NumberInput
          label="Total budget"
          description="Of all time"
          placeholder="Unlimited"
          decimalScale={2}
          {...dollars}
          {...form.getInputProps('budget.total_cents')}
        />
        <Select
          label="Pacing"
          description="How a daily budget is spent"
          data={[...PACINGS]}
          allowDeselect={false}
          {...form.getInputProps('budget.pacing')}
        />
        <NumberInput
          label="Frequency cap"
          description="Impressions for one device"
          placeholder="No cap"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('frequency_cap.max_impressions')}
        />
        <NumberInput
          label="Cap window"
          description="In so many hours"
          placeholder="24"
          suffix=" h"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('frequency_cap.window_hours')}
        />
      </SimpleGrid>
    </Section>
  );
}

/** Whom it bids for; anybody where nothing is said. */
export function TargetingFields({ form }: FieldsProps) {
  return (
    <Section title="Targeting" description="All that is given must hold; what is left empty excludes nobody.">
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} spacing="md">
        <TagsInput
          label="Countries"
          description="ISO codes, such as DE or DEU"
          placeholder="Everywhere"
          clearable
          {...form.getInputProps('targeting.countries')}
        />
        <TagsInput
          label="Devices"
          description="Of these kinds"
          placeholder="Any"
          clearable
          data={DEVICES}
          {...form.getInputProps('targeting.devices')}
        />
        <TagsInput
          label="Genres"
          description="Of the content"
          placeholder="Any"
          clearable
          {...form.getInputProps('targeting.genres')}
        />
        <TextInput
          label="Hours"
          description="18-23, or 9-11,18-23"
          placeholder="All day"
          {...form.getInputProps('targeting.hours')}
        />
        <TextInput
          label="Days"
          description="mon-fri, or sat,sun"
          placeholder="Every day"
          {...form.getInputProps('targeting.days')}
        />
        <TextInput
          label="Time zone"
          description="Of hours and days"
          placeholder="UTC"
          {...form.getInputProps('targeting.timezone')}
        />
        <TagsInput
          label="Advertiser domains"
          description="Publishers block by them"
          placeholder="shop.example"
          clearable
          {...form.getInputProps('adomain')}
        />
        <TagsInput
          label="Categories"
          description="IAB content categories"
          placeholder="IAB19"
          clearable
          {...form.getInputProps('categories')}
        />
      </SimpleGrid>
    </Section>
  );
}

/** What it shows. */
export function CreativesFields({ form }: FieldsProps) {
  const { creatives } = form.getValues();
  const freeId = () => {
    const used = new Set(creatives.map(({ creative_id: id }) => id));
    for (let next = creatives.length + 1; ; next += 1) if (!used.has(`creative-${next}`)) return `creative-${next}`;
  };
  return (
    <Section
      title="Creatives"
      description="What they are made of is fetched when the campaign is saved, looked into, and hosted by the exchange."
    >
      {creatives.length > 1 && (
        <Select
          label="Rotation"
          description="How they take turns"
          data={[...ROTATIONS]}
          allowDeselect={false}
          maw={320}
          {...form.getInputProps('rotation_strategy')}
        />
      )}
      <Stack gap="lg">
        {creatives.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ids are typed; the place is what the form knows them by
          <Fragment key={index}>
            {index > 0 && <Divider />}
            <CreativeFields
              form={form}
              index={index}
              onRemove={creatives.length > 1 ? () => form.removeListItem('creatives', index) : undefined}
            />
          </Fragment>
        ))}
      </Stack>
      <div>
        <Button
          variant="default"
          leftSection={<PlusIcon size={14} />}
          disabled={creatives.length >= MOST_CREATIVES}
          onClick={() => form.insertListItem('creatives', { ...NEW_CREATIVE, creative_id: freeId() })}
        >
          Add a creative
        </Button>
      </div>
    </Section>
  );
}
