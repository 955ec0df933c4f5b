import type { components } from '../../../api/generated.d.ts';

type DemandSource = components['schemas']['DemandSource'];
export type Mode = DemandSource['mode'];

/**
 * What the form of a demand source holds. Its members are named as the API's fields, whose faults are shown beside
 * them; the budget is in dollars, numbers are empty text where nothing is written.
 */
export interface SourceValues {
  readonly name: string;
  readonly endpoint_url: string;
  readonly daily_budget_cents: number | string;
  readonly timeout_ms: number | string;
  readonly openrtb_version: DemandSource['openrtb_version'];
  readonly qps_limit: number | string;
  readonly loss_notice_method: DemandSource['loss_notice_method'];
  readonly user_sync_url: string;
  readonly user_sync_type: DemandSource['user_sync_type'];
  readonly tcf_vendor_id: number | string;
  readonly event_feed: boolean;
  readonly creatives: DemandSource['creatives'];
}

/** What a new source begins with: what the API would choose. */
export const NEW_SOURCE: SourceValues = {
  name: '',
  endpoint_url: '',
  daily_budget_cents: '',
  timeout_ms: 150,
  openrtb_version: '2.6',
  qps_limit: 10_000,
  loss_notice_method: 'POST',
  user_sync_url: '',
  user_sync_type: 'redirect',
  tcf_vendor_id: '',
  event_feed: true,
  creatives: 'auto',
};

export function valuesOf(source: DemandSource): SourceValues {
  const { daily_budget_cents: budget } = source;
  return {
    name: source.name,
    endpoint_url: source.endpoint_url ?? '',
    daily_budget_cents: budget === 0 ? '' : budget / 100,
    timeout_ms: source.timeout_ms,
    openrtb_version: source.openrtb_version,
    qps_limit: source.qps_limit,
    loss_notice_method: source.loss_notice_method,
    user_sync_url: source.user_sync_url ?? '',
    user_sync_type: source.user_sync_type,
    tcf_vendor_id: source.tcf_vendor_id ?? '',
    event_feed: source.event_feed,
    creatives: source.creatives,
  };
}

/** As the API takes it. What concerns bidders alone is not said of a delegate. */
export function bodyOf(mode: Mode, values: SourceValues) {
  const common = {
    name: values.name,
    daily_budget_cents: centsOf(values.daily_budget_cents),
    event_feed: values.event_feed,
    ...numberOf('qps_limit', values.qps_limit),
    user_sync_url: values.user_sync_url === '' ? null : values.user_sync_url,
    user_sync_type: values.user_sync_type,
    tcf_vendor_id: values.tcf_vendor_id === '' ? null : Number(values.tcf_vendor_id),
  };
  if (mode === 'delegate') return common;
  return {
    ...common,
    endpoint_url: values.endpoint_url === '' ? null : values.endpoint_url,
    ...numberOf('timeout_ms', values.timeout_ms),
    openrtb_version: values.openrtb_version,
    loss_notice_method: values.loss_notice_method,
    creatives: values.creatives,
  };
}

/** What of it was changed, as the API takes it: untouched fields stay as they are. */
export function changesOf(mode: Mode, before: SourceValues, after: SourceValues): Partial<ReturnType<typeof bodyOf>> {
  const known: Record<string, unknown> = bodyOf(mode, before);
  return Object.fromEntries(Object.entries(bodyOf(mode, after)).filter(([name, value]) => value !== known[name]));
}

/** Dollars as whole cents; nothing for no limit. */
function centsOf(dollars: number | string): number {
  return dollars === '' ? 0 : Math.round(Number(dollars) * 100);
}

function numberOf<N extends string>(name: N, value: number | string): Partial<Record<N, number>> {
  return value === '' ? {} : ({ [name]: Number(value) } as Record<N, number>);
}
