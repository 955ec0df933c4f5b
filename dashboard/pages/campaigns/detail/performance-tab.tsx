import { Progress, Stack, Text } from '@mantine/core';
import { type AnswerBody, useAnswer } from '../../../api/queries.ts';
import { Answered, Empty } from '../../../kit/answered.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { formatCount, formatRatio } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { isPeriod, isRegion, PeriodPicker } from '../../../kit/period-picker.tsx';
import { type Campaign, PACINGS } from '../campaign.ts';

type Performance = AnswerBody<'get', '/api/campaigns/{id}/performance'>;
type Row = Performance['creatives'][number];

const EVERY_MS = 15_000;

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'creative',
    header: 'Creative',
    cell: ({ creative_id: id }) => (
      <Text size="sm" truncate maw={320} title={id} dir="auto" ta="left">
        {id}
      </Text>
    ),
  },
  { id: 'bids', header: 'Bids', right: true, cell: ({ bids }) => formatCount(bids) },
  { id: 'wins', header: 'Wins', right: true, cell: ({ wins }) => formatCount(wins) },
  { id: 'rate', header: 'Win rate', right: true, wide: true, cell: ({ win_rate: rate }) => formatRatio(rate) },
  { id: 'impressions', header: 'Impressions', right: true, cell: ({ impressions }) => formatCount(impressions) },
  {
    id: 'ecpm',
    header: 'eCPM',
    right: true,
    wide: true,
    cell: ({ impressions, ecpm_cents: cents }) => (impressions === 0 ? '—' : <Money cents={cents} />),
  },
];

interface PerformanceTabProps {
  readonly campaign: Campaign;
  readonly view: { readonly period: string; readonly region: string };
  readonly onView: (change: { period?: string; region?: string }) => void;
}

/** What it bid, won and spent, by creative too; how its budgets stand. */
export function PerformanceTab({ campaign, view, onView }: PerformanceTabProps) {
  const period = isPeriod(view.period) ? view.period : '24h';
  const region = isRegion(view.region) ? view.region : undefined;
  const asked = useAnswer(
    '/api/campaigns/{id}/performance',
    { params: { path: { id: campaign.id }, query: { period, ...(region && { region }) } } },
    { everyMs: EVERY_MS, keep: true },
  );
  const rows = [...(asked.body?.creatives ?? [])].sort((a, b) => b.impressions - a.impressions || b.bids - a.bids);
  const list = {
    ...{ ...asked, rows, total: rows.length },
    ...{ hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => undefined },
  };
  return (
    <Stack gap="lg">
      <PeriodPicker
        period={period}
        onPeriod={(next) => onView({ period: next })}
        region={region}
        onRegion={(next) => onView({ region: next ?? '' })}
      />
      <Answered of={asked}>
        {(body) => (
          <>
            <Figures cols={5}>
              <Figure label="Bids" value={formatCount(body.bids)} />
              <Figure
                label="Wins"
                value={formatCount(body.wins)}
                below={body.bids > 0 ? `${formatRatio(body.win_rate)} of bids` : undefined}
              />
              <Figure
                label="Impressions"
                hint="Wins that were shown and billed"
                value={formatCount(body.impressions)}
                below={body.wins > 0 ? `${formatRatio(body.impressions / body.wins)} of wins` : undefined}
              />
              <Figure label="Spend" hint="What the impressions cost" value={<Money cents={body.spend_cents} />} />
              <Figure
                label="eCPM"
                hint="Spend for a thousand impressions"
                value={body.impressions === 0 ? '—' : <Money cents={body.ecpm_cents} />}
              />
            </Figures>
            <Budgets campaign={campaign} standing={body.budget} />
          </>
        )}
      </Answered>
      <Section title="By creative">
        <DataTable
          caption="Figures by creative"
          list={list}
          columns={COLUMNS}
          rowId={({ creative_id: id }) => id}
          empty={
            <Empty title="No bids in this period">
              A creative is here once it was bid with. Choose a longer period, or simulate a request against the
              strategy of its demand source to see which condition does not hold.
            </Empty>
          }
        />
      </Section>
    </Stack>
  );
}

function Budgets({ campaign, standing }: { readonly campaign: Campaign; readonly standing: Performance['budget'] }) {
  const { budget, frequency_cap: cap } = campaign;
  const { daily_cents: daily, total_cents: total } = standing;
  const pacing = PACINGS.find(({ value }) => value === (budget?.pacing ?? 'linear'))?.label;
  const spentShare = daily === 0 ? 0 : Math.min(100, (100 * standing.spent_today_cents) / daily);
  const heldShare = daily === 0 ? 0 : Math.min(100 - spentShare, (100 * standing.reserved_today_cents) / daily);
  return (
    <Section title="Budget and pace" description="Of today, by UTC day.">
      <Figures cols={5} bare>
        <Figure
          label="Daily budget"
          value={daily === 0 ? 'None' : <Money cents={daily} />}
          below={daily === 0 ? undefined : pacing}
        />
        <Figure
          label="Spent today"
          value={<Money cents={standing.spent_today_cents} />}
          below={daily === 0 ? undefined : `${formatRatio(standing.spent_today_cents / daily)} of the budget`}
        />
        <Figure
          label="Reserved"
          hint="Set aside for ads that may still be sold or rendered"
          value={<Money cents={standing.reserved_today_cents} />}
        />
        <Figure
          label="Left of the total"
          value={
            standing.remaining_total_cents === null ? 'No total' : <Money cents={standing.remaining_total_cents} />
          }
          below={
            total === 0 ? undefined : (
              <>
                of <Money cents={total} />
              </>
            )
          }
        />
        <Figure
          label="Frequency cap"
          hint="For one device"
          value={cap === undefined ? 'None' : formatCount(cap.max_impressions)}
          below={cap === undefined ? undefined : `in ${formatCount(cap.window_hours ?? 24)} hours`}
        />
      </Figures>
      {daily > 0 && (
        <Progress.Root size="md">
          <Progress.Section value={spentShare} aria-label="Spent of the daily budget" />
          <Progress.Section value={heldShare} color="gray" aria-label="Reserved of the daily budget" />
        </Progress.Root>
      )}
    </Section>
  );
}
