import { Alert, Button, Group, Progress, Stack, Table, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { Section } from '../../kit/figure.tsx';
import { showFieldFaults } from '../../kit/form-faults.ts';
import { formatBytes, formatCount, words } from '../../kit/format.ts';
import { ScrollBox } from '../../kit/scroll-box.tsx';
import { Status } from '../../kit/status.tsx';
import { tellDone } from '../../kit/tell.ts';
import { Time } from '../../kit/time.tsx';
import { useConflict } from '../../kit/use-conflict.tsx';

type Account = components['schemas']['AccountWithUsage'];

/** The account: its name, its tier, and how much of its quotas is used. */
export default function AccountSection() {
  const account = useAnswer('/api/account');
  return (
    <Answered of={account} lines={6}>
      {(body) => (
        <Stack gap="lg">
          <Section title="Account" actions={<Status of={body.tier} />}>
            <NameForm account={body} etag={account.etag} />
            <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} layout="fixed" maw={560}>
              <Table.Tbody>
                <Table.Tr>
                  <Table.Th fw={400} c="dimmed" w={150}>
                    Id
                  </Table.Th>
                  <Table.Td>
                    <Id value={body.id} what="the account id" short />
                  </Table.Td>
                </Table.Tr>
                <Table.Tr>
                  <Table.Th fw={400} c="dimmed">
                    Requests a minute
                  </Table.Th>
                  <Table.Td>{formatCount(body.requests_per_minute)}</Table.Td>
                </Table.Tr>
                <Table.Tr>
                  <Table.Th fw={400} c="dimmed">
                    Opened
                  </Table.Th>
                  <Table.Td>
                    <Time at={body.created_at} />
                  </Table.Td>
                </Table.Tr>
              </Table.Tbody>
            </Table>
          </Section>
          <Quotas account={body} environment="live" />
          <Quotas account={body} environment="sandbox" />
        </Stack>
      )}
    </Answered>
  );
}

function NameForm({ account, etag }: { readonly account: Account; readonly etag: string | null }) {
  const change = useChange('patch', '/api/account');
  const conflict = useConflict();
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ initialValues: { name: account.name } });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the API says now replaces what it said before
  useEffect(() => form.setInitialValues({ name: account.name }), [account.name]);

  const save = async (expected: string | null) => {
    try {
      setFault(null);
      await change.mutateAsync({ body: form.getValues(), etag: expected });
      form.resetDirty();
      tellDone('The account is renamed.');
    } catch (error) {
      if (conflict(error, { overwrite: () => save(null), reload: () => form.reset() })) return;
      setFault(showFieldFaults(form, error));
    }
  };
  return (
    <form onSubmit={form.onSubmit(() => save(etag))}>
      <Stack gap="sm">
        {fault !== null && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <Group align="flex-end">
          <TextInput label="Name" required maw={360} flex={1} {...form.getInputProps('name')} />
          <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Quotas({ account, environment }: { readonly account: Account; readonly environment: 'live' | 'sandbox' }) {
  const limits = Object.entries(account.limits[environment] as Record<string, number>);
  const usage = account.usage[environment] as Record<string, number | undefined>;
  return (
    <Section
      title={environment === 'live' ? 'Quotas' : 'Quotas of the sandbox'}
      description="How much there is, of how much there may be."
    >
      <ScrollBox>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th w="40%" visibleFrom="xs">
                <Text span className="visually-hidden">
                  Share
                </Text>
              </Table.Th>
              <Table.Th ta="right">Used</Table.Th>
              <Table.Th ta="right">At most</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {limits.map(([name, most]) => {
              const used = usage[name] ?? 0;
              const label = labelOf(name);
              const format = name.endsWith(BYTES) ? formatBytes : formatCount;
              const share = most === 0 ? 0 : (used / most) * 100;
              return (
                <Table.Tr key={name}>
                  <Table.Td>{label}</Table.Td>
                  <Table.Td visibleFrom="xs">
                    <Progress
                      value={share}
                      color={share >= 90 ? 'orange' : undefined}
                      size="sm"
                      aria-label={`${label}: used`}
                    />
                  </Table.Td>
                  <Table.Td ta="right" className="figure">
                    {format(used)}
                  </Table.Td>
                  <Table.Td ta="right" className="figure">
                    {format(most)}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Section>
  );
}

const BYTES = '_bytes';

/** `api_keys` as `API keys`; `creatives_bytes` is how large creatives are. */
function labelOf(name: string): string {
  const label = words(name.replace(BYTES, '')).replace(/^Api\b/, 'API');
  return name.endsWith(BYTES) ? `${label}, size` : label;
}
