import { Group, List, Stack, Text, UnstyledButton } from '@mantine/core';
import type { components } from '../../api/generated.d.ts';
import { Empty } from '../../kit/answered.tsx';
import { BarList } from '../../kit/bar-list.tsx';
import { Section } from '../../kit/figure.tsx';
import { formatCount, formatRatio, words } from '../../kit/format.ts';

type Reasons = components['schemas']['ListAuctionReasonsResponse'];

const EXPLAINED = 3;

interface ReasonsPanelProps {
  readonly reasons: Reasons;
  readonly chosen: string;
  readonly onChoose: (reason: string) => void;
}

/** Why auctions were not filled and bids lost, the most frequent first, with what would change it. */
export function ReasonsPanel({ reasons: { auctions, reasons }, chosen, onChoose }: ReasonsPanelProps) {
  const first = reasons.filter(({ reason }) => chosen === '' || reason === chosen).slice(0, EXPLAINED);
  return (
    <Section title="Why" description={`Over ${formatCount(auctions)} recorded auctions; one may have several reasons.`}>
      {reasons.length === 0 ? (
        <Empty title="There is nothing to explain">No reason was recorded in this time.</Empty>
      ) : (
        <Stack gap="lg">
          <BarList
            label="Auctions by reason"
            of={Math.max(1, auctions)}
            bars={reasons.slice(0, 12).map(({ reason, auctions: count, why }) => ({
              id: reason,
              count,
              hint: why,
              tone: reason === chosen ? 'bad' : 'plain',
              label: (
                <UnstyledButton
                  fz="sm"
                  aria-pressed={reason === chosen}
                  onClick={() => onChoose(reason === chosen ? '' : reason)}
                >
                  {words(reason)}
                </UnstyledButton>
              ),
            }))}
          />
          <List spacing="sm" size="sm" listStyleType="none">
            {first.map(({ reason, why, remedy, auctions: count }) => (
              <List.Item key={reason}>
                <Group gap={6}>
                  <Text size="sm" fw={600}>
                    {words(reason)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {formatRatio(count / Math.max(1, auctions))}
                  </Text>
                </Group>
                <Text size="sm">{why}</Text>
                {remedy !== null && (
                  <Text size="sm" c="dimmed">
                    What to do: {remedy}
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Section>
  );
}
