import { Alert, Button, Stack, UnstyledButton } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { DocumentFault, MarkedFault } from './editor/faults.ts';
import classes from './strategy.module.css';

interface FaultListProps {
  /** Those with a line are marked in the text. */
  readonly faults: readonly (DocumentFault | MarkedFault)[];
  readonly onGo: (fault: DocumentFault) => void;
}

const FIRST = 8;

/** What the exchange does not take, each a way to its place in the text. */
export function FaultList({ faults, onGo }: FaultListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? faults : faults.slice(0, FIRST);
  return (
    <Alert
      color="red"
      role="alert"
      icon={<AlertIcon size={16} />}
      title={faults.length === 1 ? 'One thing is to be mended' : `${faults.length} things are to be mended`}
    >
      <Stack gap={4} component="ul" p={0} m={0} className={classes.faults}>
        {shown.map((fault) => (
          <li key={`${fault.field} ${fault.message}`}>
            <UnstyledButton className={classes.fault} onClick={() => onGo(fault)}>
              {'line' in fault && <span className={classes.line}>Line {fault.line}</span>}
              <code>{fault.field === '' ? 'The document' : fault.field}</code> <span>{fault.message}</span>
            </UnstyledButton>
          </li>
        ))}
      </Stack>
      {faults.length > FIRST && !all && (
        <Button size="compact-xs" variant="subtle" mt={6} onClick={() => setAll(true)}>
          Show all {faults.length}
        </Button>
      )}
    </Alert>
  );
}
