import { Anchor, Grid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type AnswerBody, useAnswer } from '../../../api/queries.ts';
import { Answered, Empty } from '../../../kit/answered.tsx';
import { type Bar, BarList } from '../../../kit/bar-list.tsx';
import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { formatCount, formatRatio, words } from '../../../kit/format.ts';
import { PeriodPicker } from '../../../kit/period-picker.tsx';
import { OutcomeBar } from './outcome-bar.tsx';
import type { TabProps } from './tab-props.ts';
import { usePeriod } from './use-period.ts';

type Funnel = AnswerBody<'get', '/api/demand/sources/{id}/funnel'>;
type Reasons = Funnel['lost']['reasons'];

/**
 * What became of the auctions it could have taken part in, and of its bids: how many were won, and why the others were
 * not.
 */
export default function OutcomesTab({ source }: TabProps) {
  const { query, picked } = usePeriod();
  const funnel = useAnswer(
    '/api/demand/sources/{id}/funnel',
    { params: { path: { id: source.id }, query } },
    { keep: true, everyMs: 30_000 },
  );
  return (
    <Stack gap="lg">
      <PeriodPicker {...picked} />
      <Answered of={funnel} lines={8}>
        {(body) => <Outcomes funnel={body} id={source.id} />}
      </Answered>
    </Stack>
  );
}

function Outcomes({ funnel, id }: { readonly funnel: Funnel; readonly id: string }) {
  const { available, sent, bids, won, lost, invalid, rendered } = funnel;
  if (available === 0) {
    return (
      <Section title="Wins and losses">
        <Empty
          title="No auction in this period"
          action={
            <Anchor
              size="sm"
              renderRoot={(props) => <Link to="/demand/$id" params={{ id }} search={{ tab: 'pools' }} {...props} />}
            >
              Look at its pools
            </Anchor>
          }
        >
          None of its pools had an ad request that it could have bid for. Choose a longer period, or subscribe it to
          more pools.
        </Empty>
      </Section>
    );
  }
  const share = (part: number, whole: number) => (whole === 0 ? undefined : formatRatio(part / whole));
  return (
    <>
      <Figures cols={5}>
        <Figure label="Available" hint="Auctions of its pools" value={formatCount(available)} />
        <Figure label="Asked" value={formatCount(sent)} below={share(sent, available)} />
        <Figure label="Bids" value={formatCount(bids)} hint="One for each imp; an answer may have several" />
        <Figure label="Won" value={formatCount(won)} below={share(won, bids)} />
        <Figure label="Shown" value={formatCount(rendered)} below={share(rendered, won)} />
      </Figures>
      <Section title="What became of its bids">
        {bids === 0 ? (
          <Text size="sm" c="dimmed">
            It has not bid in this period. Why it did not is below.
          </Text>
        ) : (
          <>
            <OutcomeBar won={won} lost={lost.total} invalid={invalid.total} />
            <Grid gap="xl">
              <Grid.Col span={{ base: 12, md: 6 }}>
                <ReasonList title="Lost" id={id} outcome="lost" reasons={lost.reasons} none="It lost none." />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 6 }}>
                <ReasonList
                  title="Not valid"
                  id={id}
                  outcome="lost"
                  reasons={invalid.reasons}
                  none="All of its bids were valid."
                />
              </Grid.Col>
            </Grid>
          </>
        )}
      </Section>
      <Section title="What became of the auctions">
        <BarList label="What became of the auctions" bars={auctionBars(funnel)} of={available} />
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ReasonList
              title="Not asked"
              id={id}
              outcome="not-called"
              reasons={funnel.filtered.reasons}
              none="It was asked for all of them."
            />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <ReasonList
              title="Asked, without a bid"
              id={id}
              outcome="answered"
              reasons={[...funnel.no_bids.reasons, ...funnel.errors.reasons]}
              none={noneWithoutBid(funnel)}
            />
          </Grid.Col>
        </Grid>
      </Section>
    </>
  );
}

/** What stands where no answer without a bid gave a reason. */
function noneWithoutBid({ no_bids: noBids, errors }: Funnel): string {
  const without = noBids.total + errors.total;
  return without === 0 ? 'It answered all of them with a bid.' : `${formatCount(without)}, without a reason (nbr).`;
}

function auctionBars({ answered, filtered, no_bids, timed_out, errors }: Funnel): Bar[] {
  const bars: Bar[] = [
    { id: 'answered', label: 'Answered with bids', count: answered, tone: 'good' },
    { id: 'no-bids', label: 'Answered without a bid', count: no_bids.total },
    { id: 'filtered', label: 'Not asked', count: filtered.total },
    { id: 'timed-out', label: 'Timed out', count: timed_out, tone: 'bad' },
    { id: 'errors', label: 'Failed', count: errors.total, tone: 'bad' },
  ];
  return bars.filter(({ count }) => count > 0);
}

interface ReasonListProps {
  readonly title: string;
  readonly id: string;
  /** What the auctions of a reason are filtered by. */
  readonly outcome: string;
  readonly reasons: Reasons;
  readonly none: string;
}

function ReasonList({ title, id, outcome, reasons, none }: ReasonListProps) {
  return (
    <Stack gap="sm">
      <Text component="h3" fw={600} fz="sm" m={0}>
        {title}
      </Text>
      {reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <BarList
          label={title}
          bars={reasons.map(({ reason, count, description }) => ({
            id: reason,
            label: (
              <Anchor
                size="sm"
                title={description}
                renderRoot={(props) => <Link to="/auctions" search={{ dsp: id, outcome, reason }} {...props} />}
              >
                {words(reason)}
              </Anchor>
            ),
            count,
            hint: description,
          }))}
        />
      )}
    </Stack>
  );
}
