import { approveCreative, blockCreative, withdrawCreativeDecision } from './block.ts';
import { listCreatives } from './list.ts';
import { listDemandCreatives, readDemandCreative } from './own-demand.ts';
import {
  approveSourceCreative,
  blockSourceCreative,
  createSourceRule,
  deleteSourceRule,
  listSourceCreatives,
  listSourceRules,
  readSourceCreative,
  readSourcePolicy,
  reportSourceCreative,
  setSourcePolicy,
  withdrawSourceDecision,
} from './own-supply.ts';
import { listCreativePolicies, setCreativePolicy } from './policies.ts';
import { previewDemandCreative, previewReviewed, previewSourceCreative } from './preview/routes.ts';
import { readCreative } from './read.ts';
import { reportCreative } from './report.ts';
import { createCreativeRule, deleteCreativeRule, listCreativeRules } from './rules.ts';

/** Paths of fixed words stand before paths with a parameter, which would match them too. */
export const creativeRoutes = [
  listCreatives,
  listCreativeRules,
  createCreativeRule,
  deleteCreativeRule,
  listCreativePolicies,
  setCreativePolicy,
  readCreative,
  previewReviewed,
  blockCreative,
  approveCreative,
  withdrawCreativeDecision,
  reportCreative,
  listSourceCreatives,
  listSourceRules,
  createSourceRule,
  deleteSourceRule,
  readSourcePolicy,
  setSourcePolicy,
  readSourceCreative,
  previewSourceCreative,
  blockSourceCreative,
  approveSourceCreative,
  withdrawSourceDecision,
  reportSourceCreative,
  listDemandCreatives,
  readDemandCreative,
  previewDemandCreative,
];
