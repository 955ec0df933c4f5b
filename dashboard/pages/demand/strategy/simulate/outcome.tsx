import { Alert, Stack, Text } from '@mantine/core';
import { CheckCircleIcon, CircleSlashIcon, XCircleIcon } from '@primer/octicons-react';
import { Figure, Figures } from '../../../../kit/figure.tsx';
import { formatCpm } from '../../../../kit/format.ts';
import type { Simulation } from './simulation.ts';

/** What came of it, before the reasons. */
export function Outcome({ of }: { readonly of: Simulation }) {
  if (of.campaign_id === null) {
    return (
      <Alert color="gray" icon={<CircleSlashIcon size={16} />} title="No bid" role="status">
        {'message' in of && of.message}
      </Alert>
    );
  }
  return (
    <Stack gap="sm">
      <Alert
        color={of.won ? 'green' : 'orange'}
        icon={of.won ? <CheckCircleIcon size={16} /> : <XCircleIcon size={16} />}
        title={of.won ? 'It bids and would win' : 'It bids below the floor'}
        role="status"
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {of.reason}
        </Text>
      </Alert>
      <Figures cols={5}>
        <Figure label="Bid (CPM)" value={formatCpm(of.bid_cpm)} below={`base ${formatCpm(of.base_cpm)}`} />
        <Figure label="Floor (CPM)" value={of.floor === 0 ? 'None' : formatCpm(of.floor)} />
        <Named label="Campaign" value={of.campaign_name} below={of.campaign_id} />
        <Named label="Rule" value={of.matched_rule ?? 'Targeting alone'} />
        <Named label="Creative" value={of.creative.creative_id} />
      </Figures>
    </Stack>
  );
}

function Named({ label, value, below }: { readonly label: string; readonly value: string; readonly below?: string }) {
  return (
    <Stack gap={2} miw={0}>
      <Text size="sm" c="dimmed" component="dt">
        {label}
      </Text>
      <Text fw={600} component="dd" m={0} lineClamp={2} title={value} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      {below !== undefined && below !== value && (
        <Text size="xs" c="dimmed" component="dd" m={0} truncate title={below}>
          {below}
        </Text>
      )}
    </Stack>
  );
}
