import { useChange } from '../../api/queries.ts';
import { confirm } from '../../kit/confirm.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';

/** Closes a bidder's circuit breaker, once it is confirmed. */
export function useResetBreaker(): (source: { readonly id: string; readonly name: string }) => void {
  const { mutateAsync } = useChange('post', '/api/demand/sources/{id}/reset', { touches: ['/api/demand/sources'] });
  return ({ id, name }) =>
    confirm({
      title: 'Reset the circuit breaker?',
      what: `Every edge calls ${name} again within a second. If it still answers too late, the breaker opens again within seconds.`,
      label: 'Reset breaker',
      run: async () => {
        try {
          await mutateAsync({ params: { path: { id } } });
          tellDone(`The breaker of ${name} is closed.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });
}
