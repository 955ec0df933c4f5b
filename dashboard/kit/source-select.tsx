import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useList } from '../api/pages.ts';
import { useAnswer } from '../api/queries.ts';

interface SourceSelectProps {
  readonly of: 'publisher' | 'dsp';
  readonly label?: string;
  readonly ariaLabel?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly error?: ReactNode;
  readonly clearable?: boolean;
  readonly size?: 'xs' | 'sm';
  /** Demand sources of this kind alone. */
  readonly mode?: 'rtb' | 'delegate';
  readonly description?: string;
  readonly required?: boolean;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const TYPED_MS = 200;
/** What the API takes of a search. */
const MOST_TYPED = 100;

/**
 * Chooses a publisher or a demand source by its name: the API searches for what is typed, among however many there are.
 */
export function SourceSelect({
  of,
  label,
  ariaLabel,
  placeholder,
  value,
  onChange,
  error,
  clearable,
  size = 'sm',
  mode,
  description,
  required,
}: SourceSelectProps) {
  const publisher = of === 'publisher';
  const [typed, setTyped] = useState('');
  const init = { params: { path: { id: value } } };
  const chosenPublisher = useAnswer('/api/supply/sources/{id}', init, { enabled: publisher && value !== '' });
  const chosenDsp = useAnswer('/api/demand/sources/{id}', init, { enabled: !publisher && value !== '' });
  const chosen = value === '' ? undefined : (publisher ? chosenPublisher : chosenDsp).body;
  // The name of what is chosen stands where is typed, and searches for nothing.
  const [q] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), TYPED_MS);
  const query = { sort: 'name', ...(q !== '' && { q }) };
  const publishers = useList('/api/supply/sources', query, {
    rows: (body) => body.publishers as readonly Named[],
    enabled: publisher,
  });
  const dspQuery = { ...query, ...(mode !== undefined && { mode }) };
  const dsps = useList('/api/demand/sources', dspQuery, {
    rows: (body) => body.dsps as readonly Named[],
    enabled: !publisher,
  });
  const { rows, isPending } = publisher ? publishers : dsps;
  const known: readonly Named[] =
    chosen === undefined || rows.some(({ id }) => id === chosen.id) ? rows : [chosen, ...rows];
  return (
    <Select
      label={label}
      aria-label={ariaLabel}
      placeholder={isPending ? 'Loading …' : (placeholder ?? 'Choose')}
      size={size}
      searchable
      maxLength={MOST_TYPED}
      clearable={clearable}
      description={description}
      required={required}
      nothingFoundMessage="None by this name"
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id ?? '')}
      error={error}
    />
  );
}
