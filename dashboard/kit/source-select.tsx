import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useList } from '../api/pages.ts';

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
  readonly disabled?: boolean;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Chooses a publisher or a demand source by its name; the list is the API's, as it is typed. */
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
  disabled,
}: SourceSelectProps) {
  const publishers = useList(
    '/api/supply/sources',
    { sort: 'name' },
    { rows: (body) => body.publishers as readonly Named[], enabled: of === 'publisher' },
  );
  const dsps = useList(
    '/api/demand/sources',
    { sort: 'name', ...(mode && { mode }) },
    { rows: (body) => body.dsps as readonly Named[], enabled: of === 'dsp' },
  );
  const { rows, isPending, hasNextPage, fetchNextPage } = of === 'publisher' ? publishers : dsps;
  return (
    <Select
      label={label}
      aria-label={ariaLabel}
      placeholder={isPending ? 'Loading …' : (placeholder ?? 'Choose')}
      size={size}
      searchable
      clearable={clearable}
      description={description}
      required={required}
      disabled={disabled}
      limit={200}
      nothingFoundMessage="None by this name"
      data={rows.map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      onDropdownOpen={() => hasNextPage && void fetchNextPage()}
      error={error}
    />
  );
}
