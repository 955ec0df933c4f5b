import { MultiSelect } from '@mantine/core';
import { usePools } from '../../../kit/use-pools.ts';

interface PoolChoiceProps {
  readonly value: string[];
  readonly onChange: (ids: string[]) => void;
}

/** Which pools a new source takes traffic from. */
export function PoolChoice({ value, onChange }: PoolChoiceProps) {
  const { body, isPending } = usePools();
  const pools = body?.pools ?? [];
  const none = !isPending && pools.length === 0;
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
      data={pools.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}
