import { Group, Select } from '@mantine/core';
import { SearchBox } from '../../../kit/search-box.tsx';
import { SourceSelect } from '../../../kit/source-select.tsx';
import { type CreativeFilters, FORMATS } from '../creative.ts';
import { HOSTING_WORDS, SCAN_WORDS } from '../creative-words.ts';
import { useReader } from '../reader.ts';

interface SoldFiltersProps {
  readonly view: CreativeFilters;
  readonly onView: (change: Partial<CreativeFilters>) => void;
}

const optionsOf = (words: Readonly<Record<string, { readonly label: string }>>) =>
  Object.entries(words).map(([value, { label }]) => ({ value, label }));
const SCANS = optionsOf(SCAN_WORDS);
const HOSTINGS = optionsOf(HOSTING_WORDS);
const DECISIONS = [
  { value: 'undecided', label: 'Undecided' },
  { value: 'blocked', label: 'Blocked' },
  { value: 'approved', label: 'Approved' },
];

/** What is asked for of all creatives. */
export function SoldFilters({ view, onView }: SoldFiltersProps) {
  const account = useReader() === 'account';
  const select = (name: keyof CreativeFilters & string, label: string, data: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      size="xs"
      w={140}
      clearable
      data={data}
      value={view[name] === '' ? null : view[name]}
      onChange={(chosen) => onView({ [name]: chosen ?? '' })}
    />
  );
  return (
    <Group gap="xs">
      <SearchBox label="Search by id or advertiser" value={view.q} onSearch={(q) => onView({ q })} />
      {account && (
        <>
          <SourceSelect
            of="dsp"
            ariaLabel="Demand source"
            placeholder="Demand source"
            size="xs"
            clearable
            value={view.dsp}
            onChange={(dsp) => onView({ dsp })}
          />
          <SourceSelect
            of="publisher"
            ariaLabel="Offered to"
            placeholder="Offered to"
            size="xs"
            clearable
            value={view.publisher}
            onChange={(publisher) => onView({ publisher })}
          />
        </>
      )}
      {select('format', 'Format', [...FORMATS])}
      {select('scan', 'Scan', SCANS)}
      {select('hosting', 'Served', HOSTINGS)}
      {select('decision', 'Decision', DECISIONS)}
    </Group>
  );
}
