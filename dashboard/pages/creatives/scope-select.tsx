import { Group, SegmentedControl, Select } from '@mantine/core';
import { useDataContext } from '../../app/data-context.ts';
import { useIsOperator } from '../../app/session/session.ts';
import { SourceSelect } from '../../kit/source-select.tsx';
import { usePools } from '../../kit/use-pools.ts';
import type { Scope, ScopeKind } from './creative.ts';
import { SCOPE_WORDS } from './creative-words.ts';

interface ScopeSelectProps {
  readonly value: Scope;
  readonly onChange: (scope: Scope) => void;
}

/**
 * The kinds of scopes that the reader may decide in: what is wider than a partner or the sandbox is not decided there.
 */
export function useScopeKinds(): readonly ScopeKind[] {
  const operator = useIsOperator();
  const { sandbox, partner } = useDataContext();
  const wide = !sandbox && partner === undefined;
  return [
    ...(wide && operator ? (['exchange'] as const) : []),
    ...(wide ? (['account'] as const) : []),
    'pool',
    'publisher',
  ];
}

/** Whether the scope names something: a pool and a supply source are chosen by name. */
export function isWhole({ kind, id }: Scope): boolean {
  return kind === 'exchange' || kind === 'account' || id !== '';
}

/** Chooses whose ads are decided about. */
export function ScopeSelect({ value, onChange }: ScopeSelectProps) {
  const kinds = useScopeKinds();
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Decisions are for"
        data={kinds.map((kind) => ({ value: kind, label: SCOPE_WORDS[kind] }))}
        value={value.kind}
        onChange={(kind) => onChange({ kind: kind as ScopeKind, id: '' })}
      />
      {value.kind === 'pool' && <PoolSelect value={value.id} onChange={(id) => onChange({ kind: 'pool', id })} />}
      {value.kind === 'publisher' && (
        <SourceSelect
          of="publisher"
          ariaLabel="Which supply source"
          placeholder="Which supply source"
          size="xs"
          value={value.id}
          onChange={(id) => onChange({ kind: 'publisher', id })}
        />
      )}
    </Group>
  );
}

interface PoolSelectProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function PoolSelect({ value, onChange }: PoolSelectProps) {
  const { body, isPending } = usePools();
  return (
    <Select
      aria-label="Which pool"
      placeholder={isPending ? 'Loading …' : 'Which pool'}
      size="xs"
      searchable
      nothingFoundMessage="None by this name"
      data={(body?.pools ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
