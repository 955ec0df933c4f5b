import { Badge, Group } from '@mantine/core';
import type { Listed, Scope, Standing } from './creative.ts';
import { HOSTING_WORDS, SCAN_WORDS, STANDING_WORDS } from './creative-words.ts';

export function ScanMark({ of }: { readonly of: Listed['scan_status'] }) {
  const { label, colour } = SCAN_WORDS[of];
  return (
    <Badge miw="max-content" color={colour}>
      {label}
    </Badge>
  );
}

export function HostingMark({ of }: { readonly of: Listed['hosting_status'] }) {
  const { label, colour } = HOSTING_WORDS[of];
  return (
    <Badge miw="max-content" color={colour}>
      {label}
    </Badge>
  );
}

export function StandingMark({ of }: { readonly of: Standing['state'] }) {
  const { label, colour } = STANDING_WORDS[of];
  return (
    <Badge miw="max-content" color={colour}>
      {label}
    </Badge>
  );
}

/** What was decided about the creative itself: blocked anywhere stands before approved. */
export function DecisionMark({ of: { decisions } }: { readonly of: Pick<Listed, 'decisions'> }) {
  const blocks = decisions.filter(({ decision }) => decision === 'block').length;
  const approvals = decisions.length - blocks;
  return (
    <Group gap={4} wrap="nowrap">
      {blocks > 0 && <StandingMark of="blocked" />}
      {approvals > 0 && <StandingMark of="approved" />}
      {decisions.length === 0 && (
        <Badge miw="max-content" color="gray">
          Undecided
        </Badge>
      )}
    </Group>
  );
}

/** What was decided about the creative itself in this scope; undefined for nothing. */
export function decisionIn({ decisions }: Pick<Listed, 'decisions'>, { kind, id }: Scope) {
  return decisions.find(({ scope, scope_id: scopeId }) => scope === kind && (scopeId === id || id === ''))?.decision;
}
