import Type, { type Static } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#actors/api-schemas';
import type { PublisherState } from '#actors/publisher/reduce';
import { failureMessages, VerificationFailure } from '#actors/verification/outcome';
import { type VerificationState, verification } from '#actors/verification/verification';
import { expectedLine, verificationSubject } from '#gateways/verification/verifier';
import type { ManagementDeps } from '../../deps.ts';

/** Whether the (app-)ads.txt of a source names the exchange, as the API shows it. */
export const Verification = Type.Object(
  {
    publisher_id: Uuid,
    status: Type.Enum(['unverified', 'verified', 'failed'], {
      description: '`unverified`: nothing was found out yet.',
    }),
    reason: Nullable(Type.Enum([...VerificationFailure.enum], { description: 'Of a `failed` one.' })),
    message: Nullable(Type.String({ description: 'The reason as a sentence.' })),
    domain: Nullable(Type.String({ description: 'Whose file was read or looked for.' })),
    file_url: Nullable(
      Type.String({
        description: 'Where it was in the end, after redirects; or the file of an inventory partner that it names.',
      }),
    ),
    expected_line: Type.String({ description: 'What the file should say; the last field may be left out.' }),
    relationship: Nullable(Type.Enum(['DIRECT', 'RESELLER'])),
    certification_id: Nullable(Type.String()),
    owner_domain: Nullable(Type.String({ description: '`OWNERDOMAIN` of the file.' })),
    manager_domains: Type.Array(Type.String(), { description: '`MANAGERDOMAIN` of the file.' }),
    warnings: Type.Array(Type.String(), {
      description:
        'What buyers may stumble over: `relationship_differs` from seller_type, `certification_id_differs` from the exchange’s, `owner_domain_differs` from the domain in sellers.json.',
    }),
    found_at: Nullable(Type.String({ format: 'date-time', description: 'When a look last found something out.' })),
    changed_at: Nullable(Type.String({ format: 'date-time', description: 'Since when the status is what it is.' })),
    checked_at: Nullable(Type.String({ format: 'date-time', description: 'The last look of all.' })),
    error: Nullable(
      Type.String({ description: 'Why the last look found nothing out; the result before it stays for seven days.' }),
    ),
    next_check_at: Nullable(Timestamp),
  },
  { title: 'Verification' },
);
export type Verification = Static<typeof Verification>;

/** Shows a verification. A result for a domain that the source no longer has is not shown. */
export function showVerification(
  { settings }: ManagementDeps,
  id: string,
  source: PublisherState,
  known: VerificationState | null,
): Verification {
  const { exchangeDomain, sellers } = settings;
  const certificationId = tagId(sellers.identifiers);
  const current = known?.about === verificationSubject(source) ? known : null;
  const found = current?.found ?? null;
  const reason = found?.kind === 'failed' ? found.reason : null;
  const verified = found?.kind === 'verified' ? found : null;
  return {
    publisher_id: id,
    status: current?.status ?? 'unverified',
    reason,
    message: reason === null ? null : failureMessages[reason],
    domain: found?.domain ?? null,
    file_url: found?.fileUrl ?? null,
    expected_line: expectedLine(id, source, { exchangeDomain, certificationId }),
    relationship: verified?.relationship ?? null,
    certification_id: verified?.certificationId ?? null,
    owner_domain: verified?.ownerDomain ?? null,
    manager_domains: verified?.managerDomains ?? [],
    warnings: verified?.warnings ?? [],
    found_at: timestampOf(current?.foundAtMs),
    changed_at: timestampOf(current?.changedAtMs),
    checked_at: timestampOf(current?.checkedAtMs),
    error: current?.error ?? null,
    next_check_at: source.status === 'active' ? timestampOf(current?.nextCheckAtMs) : null,
  };
}

export async function findVerification({ store }: ManagementDeps, id: string): Promise<VerificationState | null> {
  const [document] = await store.load([{ kind: verification.kind, id }]);
  return (document?.state ?? null) as VerificationState | null;
}

/** The exchange's id at the Trustworthy Accountability Group, which ads.txt names as certification authority id. */
function tagId(identifiers: readonly { readonly name: string; readonly value: string }[]): string | null {
  return identifiers.find(({ name }) => name.toUpperCase() === 'TAG-ID')?.value ?? null;
}

function timestampOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
