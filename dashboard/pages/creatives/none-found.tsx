import { Button } from '@mantine/core';
import { Empty } from '../../kit/answered.tsx';

/** Where the filters leave no creative. */
export function NoneFound({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty
      title="No creative is like that"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      }
    />
  );
}
