import { useState } from 'react';
import { ApiFault } from '../../../api/fault.ts';
import { useChange } from '../../../api/queries.ts';
import { tellDone } from '../../../kit/tell.ts';
import { useConflict } from '../../../kit/use-conflict.tsx';
import { formatBytes, LARGEST_BYTES, writeDocument } from './document.ts';
import type { StrategyText } from './use-text.ts';

interface Saving {
  readonly sourceId: string;
  readonly text: StrategyText;
  /** Of the version that the text began from; null where nothing was saved. */
  readonly etag: string | null;
  readonly reload: () => Promise<{
    readonly data?: { readonly body: object; readonly etag: string | null } | undefined;
  }>;
}

/** Saves the text: over the version that it began from, and over no other one unless that is wanted. */
export function useSave({ sourceId, text, etag, reload }: Saving) {
  const change = useChange('put', '/api/demand/sources/{id}/strategy', {
    touches: ['/api/demand/sources', '/api/campaigns', '/api/creatives'],
  });
  const onConflict = useConflict();
  const [base, setBase] = useState(etag);
  const [refusal, setRefusal] = useState<Error | null>(null);

  /** What is saved now, in place of the text. */
  const goBack = async () => {
    const { data } = await reload();
    if (data === undefined) return;
    const written = writeDocument(data.body);
    text.put(written);
    text.handle.current?.markSaved(written);
    setBase(data.etag);
    setRefusal(null);
  };

  const save = async (over = false): Promise<void> => {
    if (change.isPending) return;
    const read = text.read();
    if (read === null) return;
    if (read.bytes > LARGEST_BYTES) {
      text.setProblem(
        `The document has ${formatBytes(read.bytes)} without white space; the exchange takes ${formatBytes(LARGEST_BYTES)}. Leave campaigns or rules out.`,
      );
      return;
    }
    setRefusal(null);
    text.mark([]);
    try {
      const answer = await change.mutateAsync({
        params: { path: { id: sourceId } },
        body: read.document,
        etag: over ? null : base,
      } as Parameters<typeof change.mutateAsync>[0]);
      setBase(answer.etag);
      text.handle.current?.markSaved(read.text);
      const { campaigns, rules } = answer.body;
      tellDone(`The strategy is saved: ${count(campaigns.length, 'campaign')}, ${count(rules.length, 'rule')}.`);
    } catch (error) {
      if (onConflict(error, { overwrite: () => save(true), reload: goBack })) return;
      if (error instanceof ApiFault && error.fields.length > 0 && error.status < 500) text.mark(error.fields);
      else setRefusal(error instanceof Error ? error : new Error(String(error)));
    }
  };

  return { save, goBack, base, saving: change.isPending, refusal };
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`;
}
