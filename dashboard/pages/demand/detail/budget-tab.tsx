import { Button, Progress, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { CENTS_IN_CHART, formatRatio } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { Time } from '../../../kit/time.tsx';
import { TimeChart } from '../../../kit/time-chart.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { budgetPlan, paceOf } from './budget-plan.ts';
import type { Series } from './overview-tab.tsx';
import type { TabProps } from './tab-props.ts';

type Budget = components['schemas']['Budget'];

const EVERY_MS = 15_000;

/** What is left of today's budget, and the spend beside an even plan. */
export default function BudgetTab({ source }: TabProps) {
  const path = { id: source.id };
  const budget = useAnswer('/api/demand/dsp/{id}/budget', { params: { path } }, { everyMs: EVERY_MS });
  const series = useAnswer(
    '/api/demand/sources/{id}/stats',
    { params: { path, query: { period: 'today', breakdown: 'time' } } },
    { everyMs: EVERY_MS },
  );
  const [changing, setChanging] = useState(false);
  const change =
    source.status === 'archived' ? undefined : (
      <Button size="xs" variant="default" onClick={() => setChanging(true)}>
        Change the budget
      </Button>
    );
  return (
    <Stack gap="lg">
      <Answered of={budget}>{(body) => <BudgetFigures budget={body} />}</Answered>
      <Section
        title="Spend today against plan"
        description="By UTC day. The plan spends the budget evenly from midnight to midnight."
        actions={change}
      >
        <Answered of={series} lines={8}>
          {(body) => (
            <Answered of={budget} lines={1}>
              {(known) => (
                <>
                  <Used budget={known} />
                  <PlanChart series={body as Series} dailyBudgetCents={known.daily_budget_cents} />
                </>
              )}
            </Answered>
          )}
        </Answered>
      </Section>
      {changing && budget.body !== undefined && (
        <BudgetDialog id={source.id} name={source.name} budget={budget.body} onClose={() => setChanging(false)} />
      )}
    </Stack>
  );
}

function BudgetFigures({ budget }: { readonly budget: Budget }) {
  const { daily_budget_cents: limit, spent_today_cents: spent, reserved_cents: reserved } = budget;
  const pace = paceOf(spent, limit, Date.now());
  return (
    <Figures cols={5}>
      <Figure label="Daily budget" value={limit === 0 ? 'Unlimited' : <Money cents={limit} />} />
      <Figure
        label="Spent today"
        hint="By impressions that were sold since midnight UTC and have been confirmed"
        value={<Money cents={spent} />}
        below={limit === 0 ? undefined : `${formatRatio(spent / limit)} of the budget`}
      />
      <Figure
        label="Reserved"
        hint="Set aside for ads that may still be sold or rendered"
        value={<Money cents={reserved} />}
      />
      <Figure
        label="Left"
        value={budget.remaining_cents === null ? 'Unlimited' : <Money cents={budget.remaining_cents} />}
        below={
          <>
            A new day begins <Time at={budget.resets_at} ago />
          </>
        }
      />
      <Figure
        label="Pace"
        hint="Spent so far, of what an even plan would have spent by now"
        value={pace === null ? '—' : formatRatio(pace)}
        below={pace === null ? undefined : paceWords(pace)}
      />
    </Figures>
  );
}

/** How much of the budget is gone, and how much is set aside. */
function Used({ budget }: { readonly budget: Budget }) {
  const { daily_budget_cents: limit, spent_today_cents: spent, reserved_cents: reserved } = budget;
  if (limit === 0) return null;
  const gone = Math.min(100, (100 * spent) / limit);
  return (
    <div>
      <Progress.Root size="md">
        <Progress.Section value={gone} aria-label="Spent of the budget" />
        <Progress.Section
          value={Math.min(100 - gone, (100 * reserved) / limit)}
          color="gray"
          aria-label="Reserved of the budget"
        />
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={4}>
        Spent, then reserved, of today's budget
      </Text>
    </div>
  );
}

const EVEN = 0.1;

function paceWords(pace: number): string {
  if (pace > 1 + EVEN) return 'ahead of an even plan';
  return pace < 1 - EVEN ? 'behind an even plan' : 'as an even plan';
}

function PlanChart({ series, dailyBudgetCents }: { readonly series: Series; readonly dailyBudgetCents: number }) {
  const { buckets } = series;
  const chart = useMemo(() => {
    const { at, spent, planned } = budgetPlan(buckets, dailyBudgetCents, Date.now());
    return {
      at,
      lines: [
        { label: 'Spent', values: spent, ...CENTS_IN_CHART, filled: true },
        ...(planned === null
          ? []
          : [
              {
                label: 'Even plan',
                values: planned,
                ...CENTS_IN_CHART,
                dashed: true,
                colour: 3 as const,
              },
            ]),
      ],
    };
  }, [buckets, dailyBudgetCents]);
  return <TimeChart label="Spend of today, added up, against an even plan" {...chart} height={260} />;
}
