import { MultiSelect } from '@mantine/core';
import { useList } from '../../../api/pages.ts';

interface PoolChoiceProps {
  readonly value: string[];
  readonly onChange: (ids: string[]) => void;
}

/** Which pools a new source takes traffic from. */
export function PoolChoice({ value, onChange }: PoolChoiceProps) {
  const { rows, isPending, hasNextPage, fetchNextPage } = useList(
    '/api/supply/pools',
    { sort: 'name' },
    { rows: (body) => body.pools },
  );
  const none = !isPending && rows.length === 0;
  return (
    <MultiSelect
      label="Pools"
      description={
        none
          ? 'There is no pool yet. Without one it is sent no traffic; it can subscribe later.'
          : 'Whose traffic it is offered. Without one it is sent none; this can change later.'
      }
      placeholder={isPending ? 'Loading …' : value.length === 0 ? 'Choose pools' : ''}
      searchable
      clearable
      disabled={none}
      nothingFoundMessage="None by this name"
      data={rows.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => hasNextPage && void fetchNextPage()}
    />
  );
}
