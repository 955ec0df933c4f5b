import { Anchor, Badge, Button, Group, Paper, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { useIsOperator } from '../../../app/session/session.ts';
import { Empty } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { SourceName } from '../../../kit/source-name.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';
import { useView } from '../../../kit/use-view.ts';
import type { Rule } from '../creative.ts';
import { SCOPE_WORDS, SUBJECT_WORDS } from '../creative-words.ts';
import { useReader } from '../reader.ts';
import { NewRuleDialog } from './new-rule-dialog.tsx';

const SUBJECTS = Object.entries(SUBJECT_WORDS).map(([value, label]) => ({ value, label }));

/** What is blocked and approved, by what it names, with who decided and why; one is taken back, and another made. */
export default function RulesTab() {
  const own = useReader() !== 'account';
  const operator = useIsOperator();
  const [view, setView] = useView({ subject: '', verdict: '', of: 'account' });
  const ofExchange = operator && view.of === 'exchange';
  const query = {
    ...(view.subject !== '' && { subject: view.subject }),
    ...(view.verdict !== '' && { decision: view.verdict }),
  };
  const account = useList(
    '/api/creatives/rules',
    { ...query, ...(ofExchange && { scope: 'exchange' }) },
    { rows: (body) => body.rules, enabled: !own },
  );
  const ownRules = useList('/api/source/creatives/rules', query, { rows: (body) => body.rules, enabled: own });
  const remove = useChange('delete', '/api/creatives/rules/{rule_id}');
  const removeOwn = useChange('delete', '/api/source/creatives/rules/{rule_id}');
  const [adding, setAdding] = useState(false);

  const withdraw = (rule: Rule) =>
    confirm({
      title: 'Take the decision back?',
      what: `${words(rule)} What else was decided still holds.`,
      label: 'Take back',
      danger: rule.decision === 'approve',
      run: async () => {
        try {
          await (own ? removeOwn : remove).mutateAsync({ params: { path: { rule_id: rule.id } } });
          tellDone('The decision is taken back.');
        } catch (error) {
          tellFault(error);
        }
      },
    });
  const all: (Column<Rule> | false)[] = [
    {
      id: 'decision',
      header: 'Decision',
      cell: ({ decision }) => (
        <Badge miw="max-content" color={decision === 'block' ? 'red' : 'green'}>
          {decision === 'block' ? 'Blocked' : 'Approved'}
        </Badge>
      ),
    },
    { id: 'subject', header: 'What', cell: (rule) => <Subject of={rule} own={own} /> },
    !own && { id: 'scope', header: 'For', cell: (rule) => <ScopeName of={rule} /> },
    {
      id: 'reason',
      header: 'Reason',
      wide: true,
      cell: ({ reason }) => (
        <Text size="sm" lineClamp={2} maw={320} title={reason} dir="auto" ta="left">
          {reason === '' ? '—' : reason}
        </Text>
      ),
    },
    { id: 'at', header: 'Decided', wide: true, cell: ({ decided_at: at }) => <Time at={at} ago /> },
    {
      id: 'back',
      header: '',
      right: true,
      cell: (rule) => (
        <Button size="compact-xs" variant="default" onClick={() => withdraw(rule)}>
          Take back
        </Button>
      ),
    },
  ];
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          {operator && (
            <SegmentedControl
              size="xs"
              aria-label="Whose decisions"
              data={[
                { value: 'account', label: 'Account' },
                { value: 'exchange', label: 'Exchange' },
              ]}
              value={ofExchange ? 'exchange' : 'account'}
              onChange={(of) => setView({ of })}
            />
          )}
          <Select
            aria-label="About"
            placeholder="About"
            size="xs"
            w={150}
            clearable
            data={SUBJECTS}
            value={view.subject === '' ? null : view.subject}
            onChange={(subject) => setView({ subject: subject ?? '' })}
          />
          <Select
            aria-label="Decision"
            placeholder="Decision"
            size="xs"
            w={130}
            clearable
            data={[
              { value: 'block', label: 'Blocked' },
              { value: 'approve', label: 'Approved' },
            ]}
            value={view.verdict === '' ? null : view.verdict}
            onChange={(verdict) => setView({ verdict: verdict ?? '' })}
          />
        </Group>
        <Button size="xs" variant="default" onClick={() => setAdding(true)}>
          New decision
        </Button>
      </Group>
      <Paper p={0}>
        <DataTable
          caption="Decisions about creatives"
          list={own ? ownRules : account}
          columns={all.filter((column) => column !== false)}
          rowId={({ id }) => id}
          empty={
            <Empty title={Object.keys(query).length > 0 ? 'No decision is like that' : 'Nothing is decided yet'}>
              Block or approve a creative on its page or in the review, or decide here about an advertiser, a category,
              an attribute, markup or a demand source.
            </Empty>
          }
        />
      </Paper>
      {adding && <NewRuleDialog onClose={() => setAdding(false)} />}
    </Stack>
  );
}

function words({ decision, subject, value, crid }: Rule): string {
  const what = `${SUBJECT_WORDS[subject]} ${crid === null || crid === '' ? value : crid}`;
  return decision === 'block'
    ? `${what} is no longer blocked by it, and may be shown within a second.`
    : `${what} is no longer approved by it, and may stop being shown.`;
}

function Subject({ of: { subject, value, crid }, own }: { readonly of: Rule; readonly own: boolean }) {
  const name = crid === null || crid === '' ? value : crid;
  return (
    <Stack gap={0} maw={280}>
      <Text size="xs" c="dimmed">
        {SUBJECT_WORDS[subject]}
      </Text>
      {subject === 'creative' ? (
        <Anchor
          size="sm"
          truncate
          title={name}
          dir="auto"
          ta="left"
          renderRoot={(props) => <Link to="/creatives/$id" params={{ id: value }} {...props} />}
        >
          {name}
        </Anchor>
      ) : subject === 'demand_source' ? (
        <Text size="sm" component="div">
          <SourceName of="dsp" id={value} known={!own} />
        </Text>
      ) : (
        <Text size="sm" truncate title={value}>
          {value}
        </Text>
      )}
    </Stack>
  );
}

function ScopeName({ of: { scope, scope_id: id } }: { readonly of: Rule }) {
  return (
    <Text size="sm" component="div">
      {scope === 'publisher' ? <SourceName of="publisher" id={id} /> : SCOPE_WORDS[scope]}
    </Text>
  );
}
