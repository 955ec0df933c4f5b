import Type from 'typebox';
import { PERIODS } from '../../../../actors/ledger/report/period.ts';

/** Specification, "Common query parameters (metrics endpoints)"; `sandbox` belongs to the caller's context. */
const metricsQuery = {
  period: Type.Optional(Type.Enum([...PERIODS], { default: '24h' })),
  region: Type.Optional(Type.Enum(['fra', 'nyc', 'lon'])),
};

export const defaultPeriod = '24h';

export const MetricsQuery = Type.Object(metricsQuery);
/** `time` answers a time series instead. */
export const TimedMetricsQuery = Type.Object({ ...metricsQuery, breakdown: Type.Optional(Type.Enum(['time'])) });
/** `creative` answers a row for each creative instead. */
export const DspMetricsQuery = Type.Object({
  ...metricsQuery,
  breakdown: Type.Optional(Type.Enum(['time', 'creative'])),
});
