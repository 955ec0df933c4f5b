import createClient, { type Middleware } from 'openapi-fetch';
import type { DataContext } from '../app/data-context.ts';
import { ApiFault } from './fault.ts';
import type { paths } from './generated.d.ts';

/**
 * The management API, typed by its own description: a path or a field that the description does not have does not
 * compile.
 */
export const api = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });

/** Called when an answer says that no user is logged in (any more). */
type OnLoggedOut = () => void;
let onLoggedOut: OnLoggedOut = () => {};
export function whenLoggedOut(listener: OnLoggedOut): void {
  onLoggedOut = listener;
}

const faults: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.ok) return undefined;
    const fault = await ApiFault.of(response);
    // A wrong password is no session that has ended.
    if (fault.status === 401 && !schemaPath.startsWith('/api/auth/log') && !schemaPath.startsWith('/api/invitations/'))
      onLoggedOut();
    throw fault;
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return ApiFault.unreachable(error);
  },
};
api.use(faults);

/** What says on whose behalf is asked: the sandbox's data, one partner's. */
export function contextHeaders({ sandbox, partner }: DataContext): Record<string, string> {
  return { ...(sandbox && { 'X-Sandbox': 'true' }), ...(partner !== undefined && { 'X-User-Partner-ID': partner }) };
}
