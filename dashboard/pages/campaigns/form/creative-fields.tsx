import {
  ActionIcon,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TrashIcon } from '@primer/octicons-react';
import type { CampaignValues } from './campaign-values.ts';
import { type CreativeValues, MADE_OF, type MadeOf } from './creative-values.ts';

interface CreativeFieldsProps {
  readonly form: UseFormReturnType<CampaignValues>;
  readonly index: number;
  /** Absent for the only one: a campaign has one at least. */
  readonly onRemove: (() => void) | undefined;
}

/** The fields of one creative, those that what it is made of has. */
export function CreativeFields({ form, index, onRemove }: CreativeFieldsProps) {
  const path = `creatives.${index}`;
  const creative = form.getValues().creatives[index] as CreativeValues;
  const field = (name: string) => ({ ...form.getInputProps(`${path}.${name}`) });
  const fault = form.errors[path];
  const many = form.getValues().creatives.length > 1;
  return (
    <Stack gap="md" role="group" aria-label={`Creative ${index + 1}`}>
      <Group justify="space-between">
        <Text fw={600} size="sm">
          Creative {index + 1}
        </Text>
        {onRemove !== undefined && (
          <ActionIcon variant="subtle" color="red" aria-label={`Remove creative ${index + 1}`} onClick={onRemove}>
            <TrashIcon size={16} />
          </ActionIcon>
        )}
      </Group>
      {fault !== undefined && (
        <Text c="red" size="sm" role="alert">
          {fault}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          label="Creative id"
          description="The `crid` of bids; unique in the campaign"
          required
          maxLength={128}
          {...field('creative_id')}
        />
        <Select
          label="Made of"
          description={MADE_OF.find(({ value }) => value === creative.made_of)?.hint}
          data={MADE_OF.map(({ value, label }) => ({ value, label }))}
          allowDeselect={false}
          {...field('made_of')}
          onChange={(value) => {
            form.setFieldValue(`${path}.made_of`, value as MadeOf);
            form.setFieldValue(`${path}.format`, '');
          }}
        />
      </SimpleGrid>
      <Content made={creative.made_of} field={field} />
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
        <NumberInput
          label="Width"
          description="Pixels"
          min={1}
          allowDecimal={false}
          hideControls
          placeholder={creative.made_of === 'html' ? '300' : 'Of the file'}
          {...field('width')}
        />
        <NumberInput
          label="Height"
          description="Pixels"
          min={1}
          allowDecimal={false}
          hideControls
          placeholder={creative.made_of === 'html' ? '250' : 'Of the file'}
          {...field('height')}
        />
        {many && (
          <NumberInput
            label="Weight"
            description="Relative to the others"
            min={0}
            hideControls
            placeholder="As the others"
            {...field('weight')}
          />
        )}
      </SimpleGrid>
      <TextInput
        label="Landing page"
        description="Where a click leads"
        placeholder="https://shop.example/spring"
        required={creative.made_of === 'native'}
        {...field('landing_url')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          label="Impression trackers"
          description="Called when it is shown; Enter adds one"
          {...field('impression_trackers')}
        />
        <TagsInput
          label="Click trackers"
          description="Called when it is clicked; Enter adds one"
          {...field('click_trackers')}
        />
      </SimpleGrid>
    </Stack>
  );
}

interface ContentProps {
  readonly made: MadeOf;
  readonly field: (name: string) => object;
}

function Content({ made, field }: ContentProps) {
  switch (made) {
    case 'image_url':
      return (
        <Address
          label="Image URL"
          placeholder="https://cdn.example/spring-300x250.png"
          required
          of={field('image_url')}
        />
      );
    case 'vast_url':
      return <Address label="VAST URL" placeholder="https://ads.example/spring.xml" required of={field('vast_url')} />;
    case 'audio_url':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Address label="Audio URL" placeholder="https://cdn.example/spring.mp3" required of={field('audio_url')} />
          <Address label="Companion image URL" placeholder="None" of={field('image_url')} />
        </SimpleGrid>
      );
    case 'html':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Textarea
            label="Markup"
            description="At most 256 KiB"
            required
            rows={8}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
            {...field('html')}
          />
          <Select
            label="Shown as"
            description="An MRAID ad is for apps that offer it"
            placeholder="HTML5"
            data={[
              { value: 'html5', label: 'HTML5' },
              { value: 'mraid', label: 'MRAID' },
            ]}
            {...field('format')}
          />
        </SimpleGrid>
      );
    case 'native':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <TextInput label="Title" required maxLength={500} {...field('native.title')} />
          <TextInput label="Sponsored by" maxLength={200} {...field('native.sponsored')} />
          <TextInput label="Text" maxLength={2000} {...field('native.body')} />
          <TextInput label="Call to action" maxLength={200} placeholder="Learn more" {...field('native.cta')} />
          <Address label="Image URL" placeholder="https://cdn.example/1200x627.jpg" of={field('native.image_url')} />
          <Address label="Icon URL" placeholder="https://cdn.example/80x80.png" of={field('native.icon_url')} />
        </SimpleGrid>
      );
  }
}

interface AddressProps {
  readonly label: string;
  readonly placeholder: string;
  readonly required?: boolean;
  readonly of: object;
}

/** Of a file that the exchange fetches when the campaign is saved. */
function Address({ label, placeholder, required = false, of }: AddressProps) {
  return (
    <TextInput label={label} placeholder={placeholder} inputMode="url" required={required} maxLength={2048} {...of} />
  );
}
