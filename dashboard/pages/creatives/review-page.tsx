import {
  Alert,
  Button,
  Group,
  Kbd,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Switch,
  Table,
  Text,
  useMatches,
} from '@mantine/core';
import { useState } from 'react';
import { useDataContext } from '../../app/data-context.ts';
import { NotYours } from '../../app/failures/not-yours.tsx';
import { useSession } from '../../app/session/session.ts';
import { Empty, Failed, Placeholder } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';
import { tellFault } from '../../kit/tell.ts';
import { useView } from '../../kit/use-view.ts';
import { type Listed, type Scope, type ScopeKind, titleOf } from './creative.ts';
import { SCOPE_WORDS } from './creative-words.ts';
import { DecideDialog } from './decide-dialog.tsx';
import { decisionIn } from './marks.tsx';
import { PATHS, useReader } from './reader.ts';
import { ReportDialog } from './report-dialog.tsx';
import { ModePanel } from './review/mode-panel.tsx';
import { ReviewCard } from './review/review-card.tsx';
import { type ReviewAction, SHORTCUTS, useShortcuts } from './review/shortcuts.ts';
import { QUEUES, type QueueName, useQueue } from './review/use-queue.ts';
import { isWhole, ScopeSelect, useScopeKinds } from './scope-select.tsx';
import { useDecisions } from './use-decisions.ts';

/**
 * One creative after the other, side by side as they look, decided about by keys: for an account, or for a publisher by
 * its people.
 */
export function ReviewPage() {
  const { sandbox, partner } = useDataContext();
  const reader = useReader();
  // What was decided, and can be undone, is of one context.
  return reader === 'dsp' ? <NotYours /> : <Review key={`${sandbox} ${partner}`} />;
}

type Decided = ReadonlyMap<string, 'block' | 'approve' | 'none'>;

function Review() {
  const reader = useReader();
  const own = reader !== 'account';
  const { user, source } = useSession();
  const kinds = useScopeKinds();
  const usual = kinds.includes('account') ? 'account' : 'publisher';
  const [view, setView] = useView({ queue: 'undecided', scope: usual, scope_id: '', keys: 'on' });
  const kind = kinds.find((one) => one === view.scope) ?? usual;
  const scope: Scope = own ? { kind: 'publisher', id: source?.id ?? '' } : { kind, id: view.scope_id };
  const whole = isWhole(scope);
  const queue: QueueName = QUEUES.find(({ value }) => value === view.queue)?.value ?? 'undecided';
  const columns = useMatches({ base: 1, sm: 2, lg: 3, xl: 4 });
  const [at, setAt] = useState(0);
  const [byKey, setByKey] = useState(false);
  const [decided, setDecided] = useState<Decided>(new Map());
  const [undoable, setUndoable] = useState<readonly string[]>([]);
  const [dialog, setDialog] = useState<{ readonly kind: 'block' | 'report'; readonly of: Listed } | null>(null);
  const [help, setHelp] = useState(false);
  const [said, setSaid] = useState('');
  const decisions = useDecisions();
  const list = useQueue({ reader, queue, scope, enabled: whole }, at + columns);
  const { creatives } = list;
  const index = Math.min(at, Math.max(0, creatives.length - 1));
  const current = creatives[index];
  const first = index - (index % columns);

  const begin = (change: Parameters<typeof setView>[0]) => {
    setAt(0);
    setByKey(false);
    setDecided(new Map());
    setUndoable([]);
    setView(change);
  };
  const outcomeOf = (creative: Listed) => {
    const here = decided.get(creative.id);
    if (here !== undefined) return here === 'none' ? undefined : here;
    return decisionIn(
      creative,
      scope.kind === 'account' && scope.id === '' ? { ...scope, id: user.account_id } : scope,
    );
  };
  const note = (creative: Listed, outcome: 'block' | 'approve' | 'none') => {
    setDecided((before) => new Map(before).set(creative.id, outcome));
    setUndoable((before) => [
      ...before.filter((id) => id !== creative.id),
      ...(outcome === 'none' ? [] : [creative.id]),
    ]);
  };
  const goTo = (to: number) => {
    const next = Math.max(0, Math.min(to, creatives.length - 1));
    setAt(next);
    setByKey(true);
    return creatives[next];
  };
  /** After a decision the next one is looked at. */
  const settle = (creative: Listed, outcome: 'block' | 'approve') => {
    note(creative, outcome);
    const place = creatives.findIndex(({ id }) => id === creative.id);
    const next = place === index ? goTo(index + 1) : current;
    const following = next === undefined || next.id === creative.id ? 'It was the last.' : `Next: ${titleOf(next)}.`;
    setSaid(`${titleOf(creative)} is ${outcome === 'block' ? 'blocked' : 'approved'}. ${following}`);
  };
  const approve = async (creative: Listed) => {
    try {
      await decisions.decide({ creativeId: creative.id, decision: 'approve', scope });
      settle(creative, 'approve');
    } catch (error) {
      tellFault(error);
    }
  };
  const undo = async (creative: Listed | undefined) => {
    if (creative === undefined) return setSaid('There is nothing to take back.');
    try {
      await decisions.withdraw(creative.id, scope);
      note(creative, 'none');
      goTo(creatives.findIndex(({ id }) => id === creative.id));
      setSaid(`The decision about ${titleOf(creative)} is taken back.`);
    } catch (error) {
      tellFault(error);
    }
  };
  const actOn = (creative: Listed, action: ReviewAction) => {
    if (action === 'approve') void approve(creative);
    else if (action === 'block' || action === 'report') setDialog({ kind: action, of: creative });
  };
  useShortcuts(view.keys !== 'off' && whole, (action) => {
    if (action === 'help') return setHelp(!help);
    if (action === 'undo') return void undo(creatives.find(({ id }) => id === undoable.at(-1)));
    if (decisions.busy || current === undefined) return;
    if (action === 'next' || action === 'previous') {
      const next = goTo(index + (action === 'next' ? 1 : -1));
      return setSaid(next === undefined ? '' : titleOf(next));
    }
    return actOn(current, action);
  });

  return (
    <Page
      title="Review"
      parent={{ to: '/creatives', label: 'Creatives' }}
      description="One creative after the other. A decision holds on every edge within a second, and can be taken back."
      calls={[{ path: PATHS[reader].list }, { path: own ? '/api/source/creatives/policy' : '/api/creatives/policies' }]}
      actions={
        <Button size="xs" variant="default" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys <Kbd ml={6}>?</Kbd>
        </Button>
      }
    >
      {help && <Keys />}
      <Group gap="md" justify="space-between">
        <Group gap="md">
          {!own && (
            <Group gap="xs">
              <Text size="sm" fw={600}>
                Decide for
              </Text>
              <ScopeSelect
                value={scope}
                onChange={({ kind: next, id }: { kind: ScopeKind; id: string }) => begin({ scope: next, scope_id: id })}
              />
            </Group>
          )}
          <SegmentedControl
            size="xs"
            aria-label="Queue"
            data={QUEUES.map(({ value, label }) => ({ value, label }))}
            value={queue}
            onChange={(next) => begin({ queue: next })}
          />
        </Group>
        <Switch
          size="sm"
          label="Keyboard shortcuts"
          checked={view.keys !== 'off'}
          onChange={({ currentTarget }) => setView({ keys: currentTarget.checked ? 'on' : 'off' })}
        />
      </Group>
      {!whole && (
        <Paper>
          <Empty title={`Choose a ${SCOPE_WORDS[scope.kind].toLowerCase()}`}>
            Decisions are made for it, and its mode is shown here.
          </Empty>
        </Paper>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {whole && (
        <>
          {list.error !== null && (
            <Failed error={list.error} again={list.refetch} busy={list.isFetching} stale={creatives.length > 0} />
          )}
          {creatives.length === 0 && list.isFetching && <Placeholder lines={8} />}
          {creatives.length === 0 && !list.isFetching && list.error === null && (
            <Paper>
              <Empty title={QUEUES.find(({ value }) => value === queue)!.empty}>
                New creatives come here within seconds of their first auction.
              </Empty>
            </Paper>
          )}
          <SimpleGrid cols={columns} spacing="md">
            {creatives.slice(first, first + columns).map((creative, offset) => (
              <ReviewCard
                key={creative.id}
                creative={creative}
                place={`${first + offset + 1} of ${creatives.length}${list.hasNextPage ? '+' : ''}`}
                current={creative === current}
                focused={creative === current && byKey && dialog === null}
                decided={outcomeOf(creative)}
                busy={decisions.busy}
                onAct={(action) => (action === 'undo' ? void undo(creative) : actOn(creative, action))}
              />
            ))}
          </SimpleGrid>
          {creatives.length > columns && (
            <Group justify="center" gap="xs">
              <Button variant="default" size="xs" disabled={first === 0} onClick={() => setAt(first - columns)}>
                Before
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={first + columns >= creatives.length}
                onClick={() => setAt(first + columns)}
              >
                Next
              </Button>
            </Group>
          )}
          <ModePanel scope={scope} accountId={user.account_id} />
        </>
      )}
      {dialog?.kind === 'block' && (
        <DecideDialog
          creative={dialog.of}
          decision="block"
          scopes={[{ ...scope, label: own ? 'your supply source' : SCOPE_WORDS[scope.kind].toLowerCase() }]}
          onClose={(at) => {
            setDialog(null);
            if (at !== undefined) settle(dialog.of, 'block');
          }}
        />
      )}
      {dialog?.kind === 'report' && <ReportDialog creative={dialog.of} onClose={() => setDialog(null)} />}
    </Page>
  );
}

function Keys() {
  return (
    <Alert color="gray" title="Keys" role="region" aria-label="Keys">
      <Table aria-label="Keys" withRowBorders={false} verticalSpacing={2} w="auto">
        <Table.Tbody>
          {SHORTCUTS.map(({ keys, what }) => (
            <Table.Tr key={keys}>
              <Table.Th>
                <Kbd>{keys}</Kbd>
              </Table.Th>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Alert>
  );
}
