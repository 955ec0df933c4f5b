import { useSession } from '../../app/session/session.ts';

/** The one source that whoever is logged in belongs to. */
export function useOwnSource() {
  const { source } = useSession();
  if (source === null) throw new Error('This page is shown to the people of a source alone.');
  return source;
}
