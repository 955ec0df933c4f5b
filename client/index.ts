export type {
  AnswerBody,
  CallOptions,
  CsvPath,
  FilePath,
  InitOf,
  ItemOf,
  ListPath,
  Method,
  PathOf,
  paths,
  Schemas,
  UpdatePath,
} from './api-types.ts';
export type { Answer, ClientOptions } from './caller.ts';
export { createClient, type ExchangeClient } from './client.ts';
export { ExchangeError, type FieldFault } from './errors.ts';
export type { Retry } from './http/send.ts';
export type { Login } from './http/session.ts';
export type { PagingOptions } from './lists/pages.ts';
export type { LiveMetrics, LiveMetricsOptions } from './live-metrics.ts';
export type { MeasuredRegion, NearestRegionsOptions } from './nearest-regions.ts';
export { type Delivery, verifyWebhook, type WebhookEvent, WebhookVerificationError } from './webhooks.ts';
