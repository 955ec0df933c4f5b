import Type from 'typebox';
import { PERIODS } from '#actors/ledger/report/period';
import { REGIONS } from '#exchange/region';

/** Specification, "Common query parameters (metrics endpoints)"; `sandbox` belongs to the caller's context. */
const metricsQuery = {
  period: Type.Optional(
    Type.Enum([...PERIODS], {
      default: '24h',
      description:
        'Up to now, and at least the time that it names: whole minutes for `1h` and `6h`, hours for `24h`, UTC days for `7d` and `30d`, the one that is under way and the one in which the time began included; `today` is since midnight UTC.',
    }),
  ),
  region: Type.Optional(Type.Enum([...REGIONS], { description: 'What this region served; without it, all regions.' })),
};

export const defaultPeriod = '24h';

export const MetricsQuery = Type.Object(metricsQuery);
const byTime =
  '`time` answers buckets instead: of an hour, for `7d` and `30d` of a day, aligned to UTC, oldest first. `timestamp` is the start of a bucket; the last is still under way.';
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
