import { NumberInput, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { SourceSelect } from '../../../../kit/source-select.tsx';
import { DEVICES, type SampleRequest } from './bid-request.ts';

interface SampleFormProps {
  readonly sample: SampleRequest;
  readonly onChange: (change: Partial<SampleRequest>) => void;
}

const FORMATS = [
  { value: 'banner', label: 'Banner' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
  { value: 'native', label: 'Native' },
];
const numberOf = (value: string | number): number | '' => (typeof value === 'number' ? value : '');

/** A request in the field's words; what is left empty is not in it. */
export function SampleForm({ sample, onChange }: SampleFormProps) {
  const hasSize = sample.format === 'banner' || sample.format === 'video';
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 4 }} spacing="sm">
      <Select
        label="Format"
        data={FORMATS}
        allowDeselect={false}
        value={sample.format}
        onChange={(format) => onChange({ format: format as SampleRequest['format'] })}
      />
      {hasSize && (
        <NumberInput
          label="Width (px)"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={sample.width}
          onChange={(width) => onChange({ width: numberOf(width) })}
        />
      )}
      {hasSize && (
        <NumberInput
          label="Height (px)"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={sample.height}
          onChange={(height) => onChange({ height: numberOf(height) })}
        />
      )}
      <NumberInput
        label="Floor (USD CPM)"
        min={0}
        max={10_000}
        value={sample.floor}
        placeholder="None"
        onChange={(floor) => onChange({ floor: numberOf(floor) })}
      />
      <Select
        label="Device"
        data={DEVICES}
        clearable
        placeholder="Not said"
        value={sample.device === '' ? null : sample.device}
        onChange={(device) => onChange({ device: device ?? '' })}
      />
      <TextInput
        label="Country"
        placeholder="ARE"
        maxLength={3}
        value={sample.country}
        onChange={({ currentTarget: { value } }) => onChange({ country: value.trim().toUpperCase() })}
      />
      <TextInput
        label="Region"
        placeholder="DU"
        maxLength={100}
        value={sample.region}
        onChange={({ currentTarget: { value } }) => onChange({ region: value })}
      />
      <TextInput
        label="City"
        placeholder="Dubai"
        maxLength={100}
        value={sample.city}
        onChange={({ currentTarget: { value } }) => onChange({ city: value })}
      />
      <SourceSelect
        of="publisher"
        label="Publisher"
        placeholder="Any"
        clearable
        value={sample.publisherId}
        onChange={(publisherId) => onChange({ publisherId })}
      />
      <TextInput
        label="Domain"
        placeholder="news.example"
        maxLength={253}
        value={sample.domain}
        onChange={({ currentTarget: { value } }) => onChange({ domain: value.trim() })}
      />
      <TextInput
        label="Genre"
        placeholder="drama"
        maxLength={128}
        value={sample.genre}
        onChange={({ currentTarget: { value } }) => onChange({ genre: value })}
      />
      <TagsInput
        label="Categories"
        placeholder={sample.categories.length === 0 ? 'IAB1-7' : ''}
        maxTags={100}
        value={[...sample.categories]}
        onChange={(categories) => onChange({ categories })}
      />
    </SimpleGrid>
  );
}
