import { useSession } from '../../app/session/session.ts';

/** The source of the user who is logged in. */
export function useOwnSource() {
  const { source } = useSession();
  if (source === null) throw new Error('This page is shown to the people of a source alone.');
  return source;
}
