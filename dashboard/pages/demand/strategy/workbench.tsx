import { Alert, Badge, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect } from 'react';
import type { AnswerBody } from '../../../api/queries.ts';
import { Failed } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { Section } from '../../../kit/figure.tsx';
import { useView } from '../../../kit/use-view.ts';
import { BacktestPanel } from './backtest/backtest-panel.tsx';
import { download, type Strategy } from './document.ts';
import type { Schema } from './editor/schema-at.ts';
import { FaultList } from './fault-list.tsx';
import { FirstStrategy } from './first-strategy.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { SimulatePanel } from './simulate/simulate-panel.tsx';
import { Toolbar } from './toolbar.tsx';
import { useSave } from './use-save.ts';
import { useText } from './use-text.ts';
import { Waiting } from './waiting.tsx';
import { CreativeWarnings } from './warnings.tsx';

const JsonEditor = lazy(() => import('./editor/json-editor.tsx'));

interface WorkbenchProps {
  readonly source: AnswerBody<'get', '/api/demand/sources/{id}'>;
  readonly saved: Strategy | null;
  readonly etag: string | null;
  readonly schema: object | null;
  readonly reload: Parameters<typeof useSave>[0]['reload'];
}

const HINT = 'strategy-editor-hint';

/** The text, what is wrong with it, and what it would do. */
export function Workbench({ source, saved, etag, schema, reload }: WorkbenchProps) {
  const [view, setView] = useView({ try: 'simulate' });
  const text = useText(source.id, saved);
  const { handle, begun, dirty, plain, faults, problem } = text;
  const { save, goBack, base, saving, refusal } = useSave({ sourceId: source.id, text, etag, reload });
  const isOlder = etag !== null && etag !== base && !saving;

  // Another user's change is shown at once where nothing was edited here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when what is saved changes
  useEffect(() => {
    if (isOlder && !dirty && handle.current !== null) void goBack();
  }, [isOlder, dirty]);

  const onSave = useCallback(() => void save(), [save]);
  const onDiscard = () =>
    confirm({
      title: 'Go back to what is saved?',
      what: 'What you changed since is replaced by the saved strategy. Undo in the editor (Ctrl+Z) brings it back.',
      label: 'Go back',
      run: goBack,
    });

  if (begun === null) {
    return (
      <Stack gap="lg">
        {problem !== null && <Problem what={problem} />}
        <FirstStrategy onOpen={text.open} onExample={text.example} />
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      <LeaveGuard dirty={dirty} />
      <Section
        title="Strategy"
        description={
          <Group gap={8} component="span">
            <Badge color={dirty ? 'yellow' : 'green'} role="status">
              {dirty ? 'Unsaved changes' : 'Saved'}
            </Badge>
            <Text span size="xs" c="dimmed" id={HINT} visibleFrom="sm">
              Ctrl+Space completes, Ctrl+S saves, Tab leaves the editor
            </Text>
          </Group>
        }
        actions={
          <Toolbar
            dirty={dirty}
            ready={text.ready}
            saving={saving}
            hasSaved={base !== null}
            onOpen={text.open}
            onDownload={() => download(`strategy-${source.id}.json`, text.now())}
            onFormat={text.format}
            onExample={text.example}
            onDiscard={onDiscard}
            onSave={onSave}
          />
        }
      >
        {saving && <Waiting what="Saving: the document is checked, and its creatives are fetched." />}
        {problem !== null && <Problem what={problem} />}
        {refusal !== null && <Failed error={refusal} again={save} busy={saving} />}
        {faults.length > 0 && <FaultList faults={faults} onGo={(fault) => handle.current?.goTo(fault)} />}
        {isOlder && dirty && (
          <Alert color="yellow" title="The saved strategy has changed">
            <Group justify="space-between" gap="sm">
              <Text size="sm">Somebody else saved another one since you began. Yours is still here, unsaved.</Text>
              <Button size="xs" variant="default" onClick={onDiscard}>
                Show what is saved
              </Button>
            </Group>
          </Alert>
        )}
        {plain && (
          <Text size="xs" c="dimmed">
            This document is large: it is shown without colours and completion, so that typing stays quick.
          </Text>
        )}
        <Suspense fallback={<Skeleton height={420} />}>
          <JsonEditor
            label="Strategy document"
            describedBy={HINT}
            initial={begun.text}
            saved={begun.saved}
            schema={schema as Schema | null}
            sourceId={source.id}
            plain={plain}
            onDirty={text.setDirty}
            onReady={text.onReady}
            onMarked={text.setMarked}
            onSave={onSave}
            handle={handle}
          />
        </Suspense>
      </Section>
      {base !== null && <CreativeWarnings sourceId={source.id} />}
      <Tabs value={view.try ?? 'simulate'} onChange={(next) => setView({ try: next ?? undefined })} keepMounted>
        <Tabs.List mb="md" aria-label="Try the strategy">
          <Tabs.Tab value="simulate">Simulate</Tabs.Tab>
          <Tabs.Tab value="backtest">Backtest</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="simulate">
          <SimulatePanel sourceId={source.id} text={text} />
        </Tabs.Panel>
        <Tabs.Panel value="backtest">
          <BacktestPanel sourceId={source.id} text={text} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Problem({ what }: { readonly what: string }) {
  return (
    <Alert color="red" role="alert">
      {what}
    </Alert>
  );
}
