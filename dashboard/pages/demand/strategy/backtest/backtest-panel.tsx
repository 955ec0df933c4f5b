import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { PlayIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { ApiFault } from '../../../../api/fault.ts';
import { useChange } from '../../../../api/queries.ts';
import { Failed } from '../../../../kit/answered.tsx';
import { Section } from '../../../../kit/figure.tsx';
import { type Tried, TriedText, tellTried, triedOf } from '../tried-text.tsx';
import type { StrategyText } from '../use-text.ts';
import { Waiting } from '../waiting.tsx';
import { BacktestResult } from './backtest-result.tsx';

interface BacktestPanelProps {
  readonly sourceId: string;
  readonly text: StrategyText;
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
  { value: 'own', label: 'From … to …' },
];

/** Recorded auctions held again with the text among the demand. */
export function BacktestPanel({ sourceId, text }: BacktestPanelProps) {
  const [period, setPeriod] = useState('24');
  const [own, setOwn] = useState({ from: '', to: '' });
  const [tried, setTried] = useState<Tried>('text');
  const [refusal, setRefusal] = useState<Error | null>(null);
  const run = useChange('post', '/api/demand/sources/{id}/strategy/backtest', { touches: [] });

  const test = async () => {
    setRefusal(null);
    const strategy = triedOf(tried, text);
    if (strategy === null) return;
    try {
      await run.mutateAsync({
        params: { path: { id: sourceId } },
        body: { ...periodOf(period, own), ...strategy },
      });
      text.mark([]);
    } catch (error) {
      setRefusal(tellTried(error, text));
    }
  };

  const fieldFault = (name: 'from' | 'to') =>
    refusal instanceof ApiFault ? refusal.fields.find(({ field }) => field === name)?.message : undefined;
  const isOfField = fieldFault('from') !== undefined || fieldFault('to') !== undefined;
  const result = run.data?.body;
  return (
    <Stack gap="lg">
      <Section
        title="Backtest"
        description="Recorded auctions of the pools that this delegate subscribes to are held again, with the strategy among the demand. Nothing is saved, counted or billed."
      >
        <Group align="flex-end" gap="sm">
          <Select
            label="Recorded in"
            data={PERIODS}
            allowDeselect={false}
            value={period}
            onChange={(value) => value !== null && setPeriod(value)}
          />
          {period === 'own' && (
            <>
              <TextInput
                label="From (UTC)"
                type="datetime-local"
                value={own.from}
                error={fieldFault('from')}
                onChange={({ currentTarget: { value } }) => setOwn((before) => ({ ...before, from: value }))}
              />
              <TextInput
                label="To (UTC)"
                type="datetime-local"
                value={own.to}
                error={fieldFault('to')}
                onChange={({ currentTarget: { value } }) => setOwn((before) => ({ ...before, to: value }))}
              />
            </>
          )}
        </Group>
        <Group justify="space-between" gap="sm">
          <TriedText value={tried} onChange={setTried} />
          <Button leftSection={<PlayIcon size={14} />} loading={run.isPending} onClick={() => void test()}>
            Run the backtest
          </Button>
        </Group>
        {run.isPending && <Waiting what="Recorded auctions are held again." />}
        {refusal !== null &&
          !isOfField &&
          (refusal instanceof ApiFault ? (
            <Failed error={refusal} again={test} busy={run.isPending} />
          ) : (
            <Alert color="red" role="alert">
              {refusal.message}
            </Alert>
          ))}
      </Section>
      {result !== undefined && refusal === null && !run.isPending && <BacktestResult of={result} sourceId={sourceId} />}
    </Stack>
  );
}

function periodOf(period: string, own: { readonly from: string; readonly to: string }) {
  if (period !== 'own') {
    const now = Date.now();
    return { from: new Date(now - Number(period) * HOUR_MS).toISOString(), to: new Date(now).toISOString() };
  }
  // The fields are of minutes in UTC.
  return {
    ...(own.from !== '' && { from: new Date(`${own.from}Z`).toISOString() }),
    ...(own.to !== '' && { to: new Date(`${own.to}Z`).toISOString() }),
  };
}
