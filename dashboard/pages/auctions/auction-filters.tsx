import { Button, Group, Select } from '@mantine/core';
import { SyncIcon } from '@primer/octicons-react';
import { words } from '../../kit/format.ts';
import { REGIONS } from '../../kit/period-picker.tsx';
import { SourceSelect } from '../../kit/source-select.tsx';
import { DEMAND_OUTCOMES, OUTCOMES, SINCE } from './auction.ts';

export interface AuctionsView extends Record<string, string | undefined> {
  publisher: string;
  dsp: string;
  outcome: string;
  reason: string;
  region: string;
  since: string;
}

interface AuctionFiltersProps {
  readonly view: AuctionsView;
  readonly onView: (change: Partial<AuctionsView>) => void;
  /** Those that were met in this time. */
  readonly reasons: readonly string[];
  readonly onRefresh: () => void;
  readonly busy: boolean;
  /** Absent where there is one source alone to be looked at. */
  readonly sources?: boolean;
}

/** Which auctions: whose, how they ended, why, where and when. */
export function AuctionFilters({ view, onView, reasons, onRefresh, busy, sources = true }: AuctionFiltersProps) {
  const known = new Set([...reasons, ...(view.reason === '' ? [] : [view.reason])]);
  return (
    <Group gap="xs">
      {sources && (
        <>
          <SourceSelect
            of="publisher"
            ariaLabel="Publisher"
            placeholder="All publishers"
            size="xs"
            clearable
            value={view.publisher}
            onChange={(publisher) => onView({ publisher })}
          />
          <SourceSelect
            of="dsp"
            ariaLabel="Demand source"
            placeholder="All demand"
            size="xs"
            clearable
            value={view.dsp}
            onChange={(dsp) => onView({ dsp })}
          />
        </>
      )}
      <Choice
        label="Outcome"
        data={view.dsp === '' ? OUTCOMES : [...OUTCOMES, ...DEMAND_OUTCOMES]}
        value={view.outcome}
        onChange={(outcome) => onView({ outcome })}
      />
      <Choice
        label="Reason"
        data={[...known].sort().map((value) => ({ value, label: words(value) }))}
        value={view.reason}
        onChange={(reason) => onView({ reason })}
      />
      <Choice
        label="Region"
        data={REGIONS.map((value) => ({ value, label: value.toUpperCase() }))}
        value={view.region}
        onChange={(region) => onView({ region })}
      />
      <Select
        aria-label="Time"
        size="xs"
        w={150}
        allowDeselect={false}
        data={[...SINCE]}
        value={view.since}
        onChange={(since) => onView({ since: since ?? '24h' })}
      />
      <Button size="xs" variant="default" leftSection={<SyncIcon size={13} />} loading={busy} onClick={onRefresh}>
        Refresh
      </Button>
    </Group>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, data, value, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      size="xs"
      w={150}
      clearable
      searchable
      data={[...data]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
