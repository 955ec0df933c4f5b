import type { Publisher } from '../publisher.ts';

/** What the form holds: text where the API has numbers that may be absent, and a line for each entry of a list. */
export interface SourceValues {
  name: string;
  domain: string;
  type: Publisher['type'];
  pool_id: string;
  floor_price_cpm: number | '';
  content_genre: string;
  blocked_categories: string[];
  blocked_domains: string[];
  identities: string[];
  seller_type: Publisher['seller_type'];
  developer_domain: string;
  billing_notice: Publisher['billing_notice'];
  is_confidential: boolean;
  require_key: boolean;
  fill_rate_alert_threshold: number | '';
}

export const NEW_SOURCE: SourceValues = {
  name: '',
  domain: '',
  type: 'web',
  pool_id: '',
  floor_price_cpm: '',
  content_genre: '',
  blocked_categories: [],
  blocked_domains: [],
  identities: [],
  seller_type: 'PUBLISHER',
  developer_domain: '',
  billing_notice: 'both',
  is_confidential: false,
  require_key: false,
  fill_rate_alert_threshold: '',
};

export function valuesOf(publisher: Publisher): SourceValues {
  return {
    name: publisher.name,
    domain: publisher.domain,
    type: publisher.type,
    pool_id: publisher.pool_id ?? '',
    floor_price_cpm: publisher.floor_price_cpm,
    content_genre: publisher.content_genre ?? '',
    blocked_categories: [...publisher.blocked_categories],
    blocked_domains: [...publisher.blocked_domains],
    identities: [...publisher.identities],
    seller_type: publisher.seller_type,
    developer_domain: publisher.developer_domain ?? '',
    billing_notice: publisher.billing_notice,
    is_confidential: publisher.is_confidential,
    require_key: publisher.require_key,
    fill_rate_alert_threshold: publisher.fill_rate_alert_threshold ?? '',
  };
}

/** As the API takes it: an empty field is none. */
export function bodyOf(values: SourceValues) {
  return {
    ...values,
    pool_id: values.pool_id || null,
    floor_price_cpm: values.floor_price_cpm === '' ? 0 : values.floor_price_cpm,
    content_genre: values.content_genre || null,
    developer_domain: values.developer_domain || null,
    fill_rate_alert_threshold: values.fill_rate_alert_threshold === '' ? null : values.fill_rate_alert_threshold,
  };
}
