import Type from 'typebox';
import { PERIODS } from '../../../../actors/ledger/report/period.ts';
import { REGIONS } from '../../../../exchange/region.ts';

/** Specification, "Common query parameters (metrics endpoints)"; `sandbox` belongs to the caller's context. */
const metricsQuery = {
  period: Type.Optional(
    Type.Enum([...PERIODS], {
      default: '24h',
      description:
        'Up to now: `1h` and `6h` by the minute, `24h` by the hour, `7d` and `30d` by the UTC day, the one that is under way included; `today` is since midnight UTC.',
    }),
  ),
  region: Type.Optional(Type.Enum([...REGIONS], { description: 'What this region served; without it, all regions.' })),
};

export const defaultPeriod = '24h';

export const MetricsQuery = Type.Object(metricsQuery);
const byTime = '`time` answers buckets instead: of an hour, for `7d` and `30d` of a day, aligned to UTC, oldest first.';
export const TimedMetricsQuery = Type.Object({
  ...metricsQuery,
  breakdown: Type.Optional(Type.Enum(['time'], { description: byTime })),
});
export const DspMetricsQuery = Type.Object({
  ...metricsQuery,
  breakdown: Type.Optional(
    Type.Enum(['time', 'creative'], { description: `${byTime} \`creative\` answers a row for each creative.` }),
  ),
});
