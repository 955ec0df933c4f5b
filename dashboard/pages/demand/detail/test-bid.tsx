import { Button, Grid, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { PaperAirplaneIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { components } from '../../../api/generated.d.ts';
import { type AnswerBody, useChange } from '../../../api/queries.ts';
import { Empty, Failed } from '../../../kit/answered.tsx';
import { Snippet } from '../../../kit/copy.tsx';
import { Figure, Section } from '../../../kit/figure.tsx';
import { formatCpm, formatMs, words } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { useView } from '../../../kit/use-view.ts';
import classes from './test-bid.module.css';

type Scenario = NonNullable<components['schemas']['RunTestBidRequest']['scenario']>;
type Result = AnswerBody<'post', '/api/sandbox/test-bid'>;

const SCENARIOS: readonly { readonly value: Scenario; readonly label: string }[] = [
  { value: 'ctv-uae-drama', label: 'Connected TV: a drama in the Emirates' },
  { value: 'mobile-uk-sport', label: 'Mobile app: sport in the United Kingdom' },
  { value: 'web-us-news', label: 'Website: news in the United States' },
  { value: 'ctv-timeout', label: 'Connected TV: too little time to answer' },
];

const OUTCOMES: Readonly<Record<Result['outcome'], { readonly state: string; readonly label: string }>> = {
  win: { state: 'won', label: 'It would win' },
  'no-bid': { state: 'pending', label: 'No bid' },
  'below-floor': { state: 'pending', label: 'Below the floor' },
  timeout: { state: 'failed', label: 'Timed out' },
  error: { state: 'failed', label: 'Not usable' },
};

/** Sends a bid request of the sandbox to a bidder, and shows what came back and how an auction would judge it. */
export function TestBid({ source }: { readonly source: components['schemas']['DemandSource'] }) {
  const [view, setView] = useView({ scenario: SCENARIOS[0]!.value });
  // It changes nothing, so nothing else is asked again.
  const run = useChange('post', '/api/sandbox/test-bid', { touches: [] });
  const scenario = SCENARIOS.find(({ value }) => value === view.scenario)?.value ?? SCENARIOS[0]!.value;
  if (source.status !== 'sandbox') return <OfSandboxAlone source={source} />;
  return (
    <Section
      title="Test bid"
      description="A bid request is sent to the endpoint, and its answer is judged as in an auction. Nothing is billed or counted."
    >
      <Group align="flex-end" gap="sm">
        <Select
          label="Scenario"
          w={{ base: '100%', sm: 340 }}
          data={[...SCENARIOS]}
          allowDeselect={false}
          value={scenario}
          onChange={(value) => setView({ scenario: value ?? SCENARIOS[0]!.value })}
        />
        <Button
          leftSection={<PaperAirplaneIcon size={16} />}
          loading={run.isPending}
          onClick={() => run.mutate({ body: { dsp_id: source.id, scenario } })}
        >
          Send a test bid request
        </Button>
      </Group>
      {run.error !== null && <Failed error={run.error} />}
      <div role="status">{run.data !== undefined && <Answer result={run.data.body} />}</div>
    </Section>
  );
}

function Answer({ result }: { readonly result: Result }) {
  const { state, label } = OUTCOMES[result.outcome];
  const { response_body: body, reason } = result;
  return (
    <Stack gap="md">
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 5 }} spacing="lg">
        <Figure label="Outcome" value={<Status of={state} label={label} />} />
        <Figure label="HTTP status" value={result.response_status ?? 'No answer'} />
        <Figure label="Took" value={formatMs(result.response_time_ms)} />
        <Figure label="Floor, CPM" value={formatCpm(result.floor)} />
        <Figure
          label="Would pay, CPM"
          value={result.clearing_price === null ? '—' : formatCpm(result.clearing_price)}
        />
      </SimpleGrid>
      {reason !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Why: {words(reason)}
        </Text>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Text component="h3" fz="sm" fw={600} mt={0} mb={6}>
            What was sent
          </Text>
          <div className={classes.document}>
            <Snippet text={JSON.stringify(result.request, null, 2)} what="the bid request" />
          </div>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Text component="h3" fz="sm" fw={600} mt={0} mb={6}>
            What came back
          </Text>
          {body === null ? (
            <Text size="sm" c="dimmed">
              Nothing, or an empty body.
            </Text>
          ) : (
            <div className={classes.document}>
              <Snippet text={typeof body === 'string' ? body : JSON.stringify(body, null, 2)} what="the answer" />
            </div>
          )}
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** Live bidders are sent no rehearsals: a copy of them in the sandbox is. */
function OfSandboxAlone({ source }: { readonly source: components['schemas']['DemandSource'] }) {
  const search = { sandbox: true as const, name: source.name, endpoint: source.endpoint_url ?? '' };
  return (
    <Section title="Test bid">
      <Empty
        title="Test bids are for sources in the sandbox"
        action={
          <Button renderRoot={(props) => <Link to="/demand/new" search={search} {...props} />}>
            Create the same in the sandbox
          </Button>
        }
      >
        A live source is sent real traffic alone. One in the sandbox with the same endpoint shows how it answers.
      </Empty>
    </Section>
  );
}
