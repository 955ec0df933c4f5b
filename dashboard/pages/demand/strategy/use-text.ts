import { type RefObject, useCallback, useRef, useState } from 'react';
import { confirm } from '../../../kit/confirm.tsx';
import {
  formatBytes,
  LARGEST_FILE_BYTES,
  LONGEST_RICH,
  laidOut,
  MOST_MARKED,
  type Read,
  readDocument,
  writeDocument,
} from './document.ts';
import type { DocumentFault, MarkedFault } from './editor/faults.ts';
import type { EditorHandle } from './editor/json-editor.tsx';

/** A text that is a document, and that text. */
type Understood = Read & { readonly ok: true; readonly text: string };

interface Begun {
  readonly text: string;
  /** What `text` is compared with: '' where nothing is saved. */
  readonly saved: string;
}

/** The text as the page knows it. The editor has it, once it is there; before, it is what the editor begins with. */
export function useText(sourceId: string, saved: object | null) {
  const handle = useRef<EditorHandle>(null) as RefObject<EditorHandle | null>;
  const [begun, setBegun] = useState<Begun | null>(() => {
    if (saved === null) return null;
    const text = writeDocument(saved);
    return { text, saved: text };
  });
  const [dirty, setDirty] = useState(false);
  const [ready, setReady] = useState(false);
  const [plain, setPlain] = useState((begun?.text.length ?? 0) > LONGEST_RICH);
  const [marked, setMarked] = useState<readonly MarkedFault[]>([]);
  /** More than are marked. */
  const [others, setOthers] = useState<readonly DocumentFault[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  /** Another text in place of this one; it can be undone. */
  const put = useCallback((text: string) => {
    setPlain(text.length > LONGEST_RICH);
    setOthers([]);
    setProblem(null);
    if (handle.current === null) {
      setBegun({ text, saved: '' });
      setDirty(true);
    } else handle.current.replace(text);
  }, []);

  const mark = useCallback((found: readonly DocumentFault[]) => {
    handle.current?.show(found);
    setOthers(found.slice(MOST_MARKED));
  }, []);

  const now = useCallback(() => handle.current?.text() ?? begun?.text ?? '', [begun]);

  /** The text as a document; where it is none, says so at the place and answers null. */
  const read = useCallback((): Understood | null => {
    const text = now();
    const found = readDocument(text);
    if (found.ok) {
      setProblem(null);
      return { ...found, text };
    }
    mark([]);
    setProblem(text.trim() === '' ? 'There is no text yet.' : `This is no JSON: ${found.message}`);
    handle.current?.goToPosition(found.position);
    return null;
  }, [mark, now]);

  const open = async (file: File) => {
    if (file.size > LARGEST_FILE_BYTES) {
      setProblem(
        `${file.name} has ${formatBytes(file.size)}: no strategy is that large. At most ${formatBytes(LARGEST_FILE_BYTES)} are opened.`,
      );
      return;
    }
    const text = laidOut(await file.text());
    replaceAsked(dirty, () => {
      const found = text.length > LONGEST_RICH ? null : readDocument(text);
      const other = found?.ok && typeof found.document?.dsp_id === 'string' && found.document.dsp_id !== sourceId;
      put(text);
      if (other) askForId(() => put(writeDocument({ ...found.document, dsp_id: sourceId })));
    });
  };

  const example = (document: (id: string) => object) =>
    replaceAsked(dirty, () => put(writeDocument(document(sourceId))));

  const format = () => {
    const found = read();
    if (found !== null) put(writeDocument(found.document));
  };

  return {
    handle,
    begun,
    dirty,
    setDirty,
    ready,
    onReady: useCallback(() => setReady(true), []),
    plain,
    now,
    faults: [...marked, ...others],
    setMarked,
    problem,
    setProblem,
    put,
    mark,
    read,
    open,
    example,
    format,
  };
}

export type StrategyText = ReturnType<typeof useText>;

/** What was written and not saved goes only when that is wanted. */
function replaceAsked(dirty: boolean, run: () => void): void {
  if (!dirty) {
    run();
    return;
  }
  confirm({
    title: 'Replace what you wrote?',
    what: 'The text was changed and not saved. Undo in the editor (Ctrl+Z) brings it back.',
    label: 'Replace',
    run,
  });
}

function askForId(run: () => void): void {
  confirm({
    title: 'This file is for another demand source',
    what: 'Its dsp_id names another one, and the exchange would refuse it here. Put the id of this demand source in its place?',
    label: 'Put this id in',
    run,
  });
}
