import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { Section } from '../../kit/figure.tsx';
import { CENTS_IN_CHART, formatCount } from '../../kit/format.ts';
import { isPeriod, isRegion, PeriodPicker } from '../../kit/period-picker.tsx';
import { TimeChart } from '../../kit/time-chart.tsx';
import { useView } from '../../kit/use-view.ts';

const EVERY_MS = 15_000;

/** Revenue and impressions over time. */
export default function SeriesPanel() {
  const [view, setView] = useView({ period: '24h', region: '' });
  const period = isPeriod(view.period) ? view.period : '24h';
  const region = isRegion(view.region) ? view.region : undefined;
  const asked = useAnswer(
    '/api/metrics',
    { params: { query: { period, breakdown: 'time', ...(region && { region }) } } },
    { keep: true, everyMs: EVERY_MS },
  );
  return (
    <Section
      title="Revenue and impressions"
      actions={
        <PeriodPicker
          period={period}
          onPeriod={(next) => setView({ period: next })}
          region={region}
          onRegion={(next) => setView({ region: next ?? '' })}
        />
      }
    >
      <Answered of={asked} lines={6}>
        {(body) =>
          'buckets' in body && body.buckets.some(({ impressions }) => impressions > 0) ? (
            <TimeChart
              label="Revenue and impressions over time"
              height={260}
              at={body.buckets.map(({ timestamp }) => timestamp)}
              lines={[
                {
                  label: 'Revenue',
                  values: body.buckets.map(({ revenue_cents: cents }) => cents),
                  ...CENTS_IN_CHART,
                  filled: true,
                },
                {
                  label: 'Impressions',
                  values: body.buckets.map(({ impressions }) => impressions),
                  format: formatCount,
                  colour: 2,
                  right: true,
                },
              ]}
            />
          ) : (
            <Empty title="Nothing was shown in this time">Revenue appears here as soon as an ad is shown.</Empty>
          )
        }
      </Answered>
    </Section>
  );
}
