import type { Row, Section } from './row.ts';
import { authentication } from './rows/authentication.ts';
import { campaigns } from './rows/campaigns.ts';
import { creatives } from './rows/creatives.ts';
import { demandSources } from './rows/demand-sources.ts';
import { edge } from './rows/edge.ts';
import { errors } from './rows/errors.ts';
import { health } from './rows/health.ts';
import { limits } from './rows/limits.ts';
import { lossNotices } from './rows/loss-notices.ts';
import { metrics } from './rows/metrics.ts';
import { money } from './rows/money.ts';
import { openShapes } from './rows/open-shapes.ts';
import { overview } from './rows/overview.ts';
import { partners } from './rows/partners.ts';
import { pools } from './rows/pools.ts';
import { reportsAndBilling } from './rows/reports-and-billing.ts';
import { sandbox } from './rows/sandbox.ts';
import { states } from './rows/states.ts';
import { strategy } from './rows/strategy.ts';
import { supplySources } from './rows/supply-sources.ts';
import { tracking } from './rows/tracking.ts';
import { versioning } from './rows/versioning.ts';
import { webhooks } from './rows/webhooks.ts';
import { websocket } from './rows/websocket.ts';

/** The specification, demand by demand, in its own order. */
export const TABLE: readonly Section[] = [
  overview,
  supplySources,
  pools,
  demandSources,
  strategy,
  campaigns,
  money,
  metrics,
  reportsAndBilling,
  health,
  states,
  sandbox,
  partners,
  edge,
  tracking,
  websocket,
  openShapes,
  authentication,
  webhooks,
  lossNotices,
  errors,
  limits,
  creatives,
  versioning,
];

export const ROWS: ReadonlyMap<string, Row> = new Map(TABLE.flatMap(({ rows }) => rows).map((row) => [row.id, row]));
