import { ActionIcon, Menu } from '@mantine/core';
import { KebabHorizontalIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { components } from '../../../api/generated.d.ts';
import { useResetBreaker } from '../use-reset-breaker.ts';

/** What can be done with a source from the list. */
export function RowMenu({ source }: { readonly source: components['schemas']['DemandSource'] }) {
  const reset = useResetBreaker();
  const { id, name, mode, status } = source;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for ${name}`}>
          <KebabHorizontalIcon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mode === 'rtb' && status !== 'archived' && <Menu.Item onClick={() => reset(source)}>Reset breaker</Menu.Item>}
        {(['outcomes', 'pools', 'settings'] as const).map((tab) => (
          <Menu.Item
            key={tab}
            renderRoot={(props) => <Link to="/demand/$id" params={{ id }} search={{ tab }} {...props} />}
          >
            {TAB_WORDS[tab]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const TAB_WORDS = { outcomes: 'Wins and losses', pools: 'Pools', settings: 'Settings' } as const;
