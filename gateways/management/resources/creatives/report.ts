import Type from 'typebox';
import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import { defineRoute } from '../../routing/route.ts';
import { CreativeParams } from './creative.ts';
import { deciderOf } from './scope.ts';
import { seesWhole } from './seen-by.ts';
import { loadCreative } from './visible.ts';

const REPORT_REASONS = ['malware', 'deceptive', 'offensive', 'wrong_category', 'other'] as const;
export const ReportBody = Type.Object(
  {
    reason: Type.Enum([...REPORT_REASONS]),
    comment: Type.Optional(Type.String({ maxLength: 1_000, description: 'What is wrong with it.' })),
  },
  { additionalProperties: false },
);
export const Reported = Type.Object({
  id: Type.String(),
  report_count: Type.Integer({ minimum: 1, description: 'Reports about it that are kept, at most 20.' }),
});

export const reportCreative = defineRoute({
  method: 'POST',
  path: '/api/creatives/:id/report',
  tag: 'Creatives',
  operationId: 'reportCreative',
  summary: 'Report a creative to the operators of the exchange',
  description:
    'It stands among the matters of its account and of the operators (`GET /api/attention`) until somebody decides about the creative.',
  access: 'account',
  reach: { operators: 'every-account' },
  params: CreativeParams,
  body: ReportBody,
  examples: { body: { reason: 'malware', comment: 'Redirects to a shop by itself' } },
  answer: { status: 201, schema: Reported },
  async handle({ params: { id }, body: { reason, comment = '' }, caller, identity, parts }) {
    const state = await loadCreative(parts, id, caller);
    const by = deciderOf(caller);
    const told = { by, reason, comment };
    const { reports } = await parts.messenger.ask(creative, id, 'report', told, { requestId: identity.askId() });
    return { id, report_count: seesWhole(caller, state) ? reports.length : countOwnReports(reports, by) };
  },
});

/** The number of reports by the caller itself, for one that does not see those of others. */
export function countOwnReports(reports: CreativeState['reports'], own: string): number {
  return reports.filter(({ by }) => by === own).length;
}
