import { creative } from '#actors/creative/creative';
import type { CreativeState } from '#actors/creative/reduce';
import type { Condition } from '#runtime/ports/store';
import { ownCreativesWhere } from '../../creatives/visible.ts';
import type { AttentionCheck, AttentionItem } from '../attention-item.ts';

const DAY_MS = 86_400_000;
/** The most creatives of each kind that are named: those that were seen last. */
const MOST_NAMED = 50;

/**
 * Finds creatives that were reported and about which nothing was decided since, and creatives that the scan has flagged
 * and that were sold within a day.
 */
export const checkCreatives: AttentionCheck = async ({ parts, caller, nowMs }) => {
  const own = ownCreativesWhere(caller);
  const find = async (where: Readonly<Record<string, Condition>>, fields: readonly (keyof CreativeState)[]) => {
    const query = { where: { ...own, ...where }, orderBy: 'lastSeenAt', descending: true, limit: MOST_NAMED };
    const found = await parts.store.find(creative.kind, query);
    const documents = await parts.store.load(
      found.map(({ id }) => ({ kind: creative.kind, id })),
      fields,
    );
    return documents.flatMap((document) =>
      document && !document.deleted ? [{ id: document.id, state: document.state as CreativeState }] : [],
    );
  };
  const sold = { lastWonAt: { gte: new Date(nowMs - DAY_MS).toISOString() } };
  const [reported, flagged] = await Promise.all([
    find({ marks: 'reported' }, ['crid', 'reports']),
    find({ 'scan.status': 'flagged', ...sold }, ['crid', 'scan']),
  ]);
  return [
    ...reported.map(({ id, state: { crid, reports } }): AttentionItem => {
      const [{ reason = 'other', at = null } = {}] = reports;
      return {
        kind: 'creative-reported',
        severity: 'warning',
        subject: { type: 'creative', id, name: crid || id },
        since: at,
        message: `The creative ${crid || id} was reported: ${reason.replaceAll('_', ' ')}.`,
        remedy: 'Look at its preview, then block or approve it.',
      };
    }),
    ...flagged.map(({ id, state: { crid, scan } }): AttentionItem => {
      const codes = [...new Set(scan.findings.map(({ code }) => code))];
      return {
        kind: 'creative-flagged',
        severity: 'warning',
        subject: { type: 'creative', id, name: crid || id },
        since: scan.scannedAt || null,
        message: `The creative ${crid || id} was sold within a day, and its scan found: ${codes.join(', ')}.`,
        remedy: 'Look at what was found. Block it, or let only creatives with a clean scan be shown.',
      };
    }),
  ];
};
