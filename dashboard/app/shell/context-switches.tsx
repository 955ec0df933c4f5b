import { Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAnswer } from '../../api/queries.ts';
import type { ContextSearch } from '../data-context.ts';
import { useSession } from '../session/session.ts';

/** Most accounts act for no partner. */
const PartnerSelect = lazy(() => import('./partner-select.tsx'));

/** Whose data the pages show: live or the sandbox's, all partners' or one's. Both stand in the URL. */
export function ContextSwitches() {
  const { sandbox, partner } = useSearch({ strict: false }) as ContextSearch;
  const navigate = useNavigate();
  const { user } = useSession();
  const ofSource = (user.role as string) === 'source';
  const { body } = useAnswer(
    '/api/partners',
    { params: { query: { sort: 'name' } } },
    { enabled: !ofSource, context: { sandbox: false } },
  );
  if (ofSource) return null;

  const choose = (change: Partial<{ sandbox: true | undefined; partner: string | undefined }>) =>
    // A page of one thing may have none in the other context: its list does.
    navigate({ to: '.', search: (before: object) => ({ ...before, ...change }) } as never);

  return (
    <>
      {body !== undefined && body.partners.length > 0 && (
        <Suspense>
          <PartnerSelect
            partners={body.partners}
            chosen={partner}
            onChoose={(chosen) => void choose({ partner: chosen })}
          />
        </Suspense>
      )}
      <Switch
        label="Sandbox"
        size="sm"
        color="yellow.8"
        checked={sandbox === true}
        onChange={({ currentTarget }) => void choose({ sandbox: currentTarget.checked || undefined })}
      />
    </>
  );
}
