import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { PlayIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { ApiFault } from '../../../../api/fault.ts';
import { useChange } from '../../../../api/queries.ts';
import { Empty, Failed } from '../../../../kit/answered.tsx';
import { Section } from '../../../../kit/figure.tsx';
import { type Tried, TriedText, tellTried, triedOf } from '../tried-text.tsx';
import type { StrategyText } from '../use-text.ts';
import { Waiting } from '../waiting.tsx';
import { bidRequestOf, FIRST_REQUEST, type SampleRequest } from './bid-request.ts';
import { Conditions } from './conditions.tsx';
import { Outcome } from './outcome.tsx';
import { SampleForm } from './sample-form.tsx';

interface SimulatePanelProps {
  readonly sourceId: string;
  readonly text: StrategyText;
}

/** One request, and what each campaign makes of it. */
export function SimulatePanel({ sourceId, text }: SimulatePanelProps) {
  const [sample, setSample] = useState(FIRST_REQUEST);
  const [pasted, setPasted] = useState<string | null>(null);
  const [pasteFault, setPasteFault] = useState<string | null>(null);
  const [tried, setTried] = useState<Tried>('text');
  const [refusal, setRefusal] = useState<Error | null>(null);
  const run = useChange('post', '/api/demand/sources/{id}/strategy/simulate', { touches: [] });

  const simulate = async () => {
    setRefusal(null);
    setPasteFault(null);
    const bidRequest = pasted === null ? bidRequestOf(sample) : parsed(pasted);
    if (bidRequest === null) return setPasteFault('This is no JSON object.');
    const strategy = triedOf(tried, text);
    if (strategy === null) return;
    try {
      const publisher = sample.publisherId === '' ? {} : { publisher_id: sample.publisherId };
      await run.mutateAsync({
        params: { path: { id: sourceId } },
        body: { bid_request: bidRequest, ...publisher, ...strategy },
      });
      text.mark([]);
    } catch (error) {
      const ofRequest = error instanceof ApiFault && error.fields[0]?.field.startsWith('bid_request');
      if (ofRequest && pasted !== null) setPasteFault(error.message);
      else setRefusal(tellTried(error, text));
    }
  };

  const result = run.data?.body;
  return (
    <Stack gap="lg">
      <Section
        title="Simulate a request"
        description="What would be bid on it now, and why. Nothing is saved, counted or billed; budgets, pacing and frequency caps are left aside."
      >
        <SegmentedControl
          size="xs"
          aria-label="How the request is given"
          w="fit-content"
          data={[
            { value: 'form', label: 'Sample request' },
            { value: 'json', label: 'Bid request (JSON)' },
          ]}
          value={pasted === null ? 'form' : 'json'}
          onChange={(value) => {
            setPasteFault(null);
            setPasted(value === 'form' ? null : JSON.stringify(bidRequestOf(sample), null, 2));
          }}
        />
        {pasted === null ? (
          <SampleForm
            sample={sample}
            onChange={(change: Partial<SampleRequest>) => setSample((before) => ({ ...before, ...change }))}
          />
        ) : (
          <Textarea
            label="OpenRTB bid request"
            description="2.5 or 2.6; its first imp is bid on"
            autosize
            minRows={8}
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
            value={pasted}
            error={pasteFault}
            onChange={({ currentTarget: { value } }) => setPasted(value)}
          />
        )}
        <Group justify="space-between" gap="sm">
          <TriedText value={tried} onChange={setTried} />
          <Button leftSection={<PlayIcon size={14} />} loading={run.isPending} onClick={() => void simulate()}>
            Simulate
          </Button>
        </Group>
        {run.isPending && <Waiting what="Every campaign is judged on the request." />}
        {refusal !== null &&
          (refusal instanceof ApiFault ? (
            <Failed error={refusal} again={simulate} busy={run.isPending} />
          ) : (
            <Alert color="red" role="alert">
              {refusal.message}
            </Alert>
          ))}
      </Section>
      {result !== undefined && refusal === null && (
        <>
          <Outcome of={result} />
          {result.conditions_evaluated.length === 0 ? (
            <Empty title="There are no campaigns">Add one to the strategy, or start from an example.</Empty>
          ) : (
            <Conditions
              campaigns={result.conditions_evaluated}
              chosen={result.campaign_id}
              rule={result.matched_rule}
            />
          )}
        </>
      )}
    </Stack>
  );
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
