import { useChange } from '../../api/queries.ts';
import type { By, Scope } from './creative.ts';
import { useReader } from './reader.ts';

export interface Decision {
  readonly creativeId: string;
  readonly decision: 'block' | 'approve';
  readonly scope: Scope;
  readonly by?: By;
  /** Of `advertiser`: the domain. */
  readonly value?: string | undefined;
  readonly reason?: string;
}

/** In the scope of their own source, which is the only one of a source's people, the API asks for none. */
function scopeBody({ kind, id }: Scope) {
  return { scope: kind, ...(id !== '' && { scope_id: id }) };
}

/**
 * Deciding about creatives, and taking a decision back: an account's in the scope that is named, a publisher's people
 * for it.
 */
export function useDecisions() {
  const own = useReader() !== 'account';
  const block = useChange('post', '/api/creatives/{id}/block');
  const approve = useChange('post', '/api/creatives/{id}/approve');
  const withdrawn = useChange('delete', '/api/creatives/{id}/decision');
  const ownBlock = useChange('post', '/api/source/creatives/{id}/block');
  const ownApprove = useChange('post', '/api/source/creatives/{id}/approve');
  const ownWithdrawn = useChange('delete', '/api/source/creatives/{id}/decision');
  return {
    busy: [block, approve, withdrawn, ownBlock, ownApprove, ownWithdrawn].some(({ isPending }) => isPending),
    async decide({ creativeId, decision, scope, by = 'creative', value, reason = '' }: Decision): Promise<void> {
      const params = { path: { id: creativeId } };
      const body = { by, ...(value !== undefined && { value }), ...(reason !== '' && { reason }) };
      if (own) await (decision === 'block' ? ownBlock : ownApprove).mutateAsync({ params, body });
      else {
        const scoped = { ...body, ...scopeBody(scope) };
        await (decision === 'block' ? block : approve).mutateAsync({ params, body: scoped });
      }
    },
    /** Takes back what was decided about the creative itself. */
    async withdraw(creativeId: string, scope: Scope): Promise<void> {
      const path = { id: creativeId };
      if (own) await ownWithdrawn.mutateAsync({ params: { path } });
      else await withdrawn.mutateAsync({ params: { path, query: scopeBody(scope) } });
    },
  };
}
