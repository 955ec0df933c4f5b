import { Group, SegmentedControl, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Empty } from '../../../../kit/answered.tsx';
import { Section } from '../../../../kit/figure.tsx';
import { SearchBox } from '../../../../kit/search-box.tsx';
import { CampaignReasons } from './campaign-reasons.tsx';
import classes from './conditions.module.css';
import type { Judged } from './simulation.ts';

interface ConditionsProps {
  readonly campaigns: readonly Judged[];
  /** The campaign that bids, and its rule. */
  readonly chosen: string | null;
  readonly rule: string | null;
}

/** So few are all open from the start. */
const FEW = 3;

/** Every campaign with each of its demands; only those in view are in the page. */
export function Conditions({ campaigns, chosen, rule }: ConditionsProps) {
  const [search, setSearch] = useState('');
  const [which, setWhich] = useState('all');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const scroller = useRef<HTMLElement>(null);
  const matched = campaigns.filter((one) => one.matched).length;

  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return campaigns
      .filter((one) => which === 'all' || one.matched === (which === 'matched'))
      .filter((one) => wanted === '' || textOf(one).includes(wanted))
      .sort((a, b) => rank(b, chosen) - rank(a, chosen));
  }, [campaigns, chosen, search, which]);

  const opensFirst = (id: string) => campaigns.length <= FEW || id === chosen;
  const isOpen = (id: string) => opensFirst(id) !== toggled.has(id);
  const toggle = (id: string) =>
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });

  const virtualizer = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (isOpen(shown[index]!.campaign) ? 240 : 62),
    getItemKey: (index) => shown[index]!.campaign,
    overscan: 6,
  });

  return (
    <Section
      title="Why"
      description={`${matched} of ${campaigns.length} campaigns could bid. Of those, the highest priority goes first, then the highest bid.`}
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Which campaigns"
            data={[
              { value: 'all', label: 'All' },
              { value: 'matched', label: 'Could bid' },
              { value: 'missed', label: 'Could not' },
            ]}
            value={which}
            onChange={setWhich}
          />
          <SearchBox label="Filter by name or condition" value={search} onSearch={setSearch} />
        </>
      }
    >
      {shown.length === 0 ? (
        <Empty title="No campaign is like that" />
      ) : (
        <section ref={scroller} className={classes.scroller} tabIndex={0} aria-label="Campaigns and their reasons">
          <ul className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start }) => {
              const one = shown[index]!;
              return (
                <li
                  key={key}
                  data-index={index}
                  ref={virtualizer.measureElement}
                  className={classes.item}
                  aria-setsize={shown.length}
                  aria-posinset={index + 1}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <CampaignReasons
                    of={one}
                    bids={one.campaign === chosen}
                    rule={one.campaign === chosen ? rule : null}
                    open={isOpen(one.campaign)}
                    onToggle={() => toggle(one.campaign)}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <Group>
        <Text size="xs" c="dimmed" role="status">
          {shown.length} of {campaigns.length} campaigns
        </Text>
      </Group>
    </Section>
  );
}

function rank({ campaign, matched }: Judged, chosen: string | null): number {
  return campaign === chosen ? 2 : matched ? 1 : 0;
}

function textOf({ campaign, reason, targeting, rules }: Judged): string {
  const conditions = [...targeting, ...rules.flatMap((rule) => rule.conditions)];
  return [
    campaign,
    reason,
    ...rules.map(({ rule_id }) => rule_id),
    ...conditions.map(({ field, operator, value }) => `${field} ${operator} ${value}`),
  ]
    .join('\n')
    .toLowerCase();
}
