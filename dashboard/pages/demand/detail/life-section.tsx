import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/queries.ts';
import { confirm } from '../../../kit/confirm.tsx';
import { Section } from '../../../kit/figure.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import type { TabProps } from './tab-props.ts';

/** From the sandbox to live, and to the archive. */
export function LifeSection({ source, etag }: TabProps) {
  const { id, name } = source;
  const path = { params: { path: { id } } };
  const navigate = useNavigate();
  const conflict = useConflict();
  const change = useChange('patch', '/api/demand/sources/{id}', { touches: [] });
  const remove = useChange('delete', '/api/demand/sources/{id}', { touches: ['/api/demand'] });

  const archive = async (version: string | null): Promise<void> => {
    try {
      await remove.mutateAsync({ ...path, etag: version });
      tellDone(`${name} is archived.`);
    } catch (error) {
      if (!conflict(error, { overwrite: () => archive(null), reload: () => undefined })) tellFault(error);
    }
  };
  const goLive = async (version: string | null): Promise<void> => {
    try {
      await change.mutateAsync({ ...path, body: { sandbox: false }, etag: version });
      tellDone(`${name} is live.`);
      await navigate({ to: '/demand/$id', params: { id }, search: { sandbox: undefined, tab: 'pools' } as never });
    } catch (error) {
      if (!conflict(error, { overwrite: () => goLive(null), reload: () => undefined })) tellFault(error);
    }
  };

  return (
    <Section title="Life of the source">
      {source.status === 'sandbox' && (
        <Row
          title="Make it live"
          text="It leaves the sandbox and is sent real traffic of the live pools it subscribes to."
          label="Make it live"
          run={() =>
            confirm({
              title: `Make ${name} live?`,
              what: `${name} leaves the sandbox: it is not seen there any more, it bids for real ads, and what it buys is billed.`,
              label: 'Make it live',
              run: () => goLive(etag),
            })
          }
        />
      )}
      <Row
        title="Archive"
        text="It is asked for no more bids. Its reports and statements stay, and its name is free again."
        label="Archive"
        danger
        run={() =>
          confirm({
            title: `Archive ${name}?`,
            what: `${name} is asked for no more bids, within seconds and for good: this cannot be undone. Its reports and statements stay.`,
            label: 'Archive',
            danger: true,
            run: () => archive(etag),
          })
        }
      />
    </Section>
  );
}

interface RowProps {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly danger?: boolean;
  readonly run: () => void;
}

function Row({ title, text, label, danger = false, run }: RowProps) {
  return (
    <Group justify="space-between" gap="sm">
      <Stack gap={0} maw={560}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Stack>
      <Button size="xs" variant={danger ? 'light' : 'default'} color={danger ? 'red' : undefined} onClick={run}>
        {label}
      </Button>
    </Group>
  );
}
