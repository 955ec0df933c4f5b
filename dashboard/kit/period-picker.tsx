import { Group, SegmentedControl, Select } from '@mantine/core';

const PERIODS = ['1h', '6h', 'today', '24h', '7d', '30d'] as const;
export type Period = (typeof PERIODS)[number];
export const REGIONS = ['fra', 'nyc', 'lon'] as const;
export type Region = (typeof REGIONS)[number];

const LABELS: Readonly<Record<Period, string>> = {
  '1h': '1 h',
  '6h': '6 h',
  today: 'Today',
  '24h': '24 h',
  '7d': '7 days',
  '30d': '30 days',
};

export function isPeriod(value: string | undefined): value is Period {
  return PERIODS.some((one) => one === value);
}

interface PeriodPickerProps {
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
  /** Absent where the figures are of no region. */
  readonly region?: Region | undefined;
  readonly onRegion?: (region: Region | undefined) => void;
}

/** Of which time, and of which region. */
export function PeriodPicker({ period, onPeriod, region, onRegion }: PeriodPickerProps) {
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label="Period"
        size="xs"
        data={PERIODS.map((value) => ({ value, label: LABELS[value] }))}
        value={period}
        onChange={(value) => onPeriod(value as Period)}
      />
      {onRegion !== undefined && (
        <Select
          aria-label="Region"
          size="xs"
          w={130}
          placeholder="All regions"
          clearable
          data={REGIONS.map((value) => ({ value, label: value.toUpperCase() }))}
          value={region ?? null}
          onChange={(value) => onRegion((value as Region | null) ?? undefined)}
        />
      )}
    </Group>
  );
}

export function isRegion(value: string | undefined): value is Region {
  return REGIONS.some((one) => one === value);
}
