import { jsonLanguage, jsonParseLinter } from '@codemirror/lang-json';
import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { MOST_MARKED } from '../document.ts';
import { placeOf } from './places.ts';

/** Something that the API found wrong, at its path in the document. */
export interface DocumentFault {
  readonly field: string;
  readonly message: string;
}

/** A fault with the line that it is on now. */
export interface MarkedFault extends DocumentFault {
  readonly line: number;
}

interface Mark extends Diagnostic {
  readonly fault: DocumentFault;
}

const setFaults = StateEffect.define<readonly Mark[]>();

/** What the API found, at its place. A mark moves with its text, and goes when what is marked is changed. */
const faultsField = StateField.define<readonly Mark[]>({
  create: () => [],
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFaults)) return effect.value;
    if (!transaction.docChanged || marks.length === 0) return marks;
    const { changes } = transaction;
    return marks.flatMap((mark) => {
      if (changes.touchesRange(mark.from, mark.to) !== false) return [];
      return { ...mark, from: changes.mapPos(mark.from), to: changes.mapPos(mark.to) };
    });
  },
});

/**
 * Marks of what is no JSON, while one types, and of what the API found; `onMarked` hears which of these are left, and
 * where.
 */
export function faultMarks(checksSyntax: boolean, onMarked: (marked: readonly MarkedFault[]) => void): Extension {
  const syntax = jsonParseLinter();
  return [
    faultsField,
    linter(
      (view) => [...(checksSyntax && view.state.doc.length > 0 ? syntax(view) : []), ...view.state.field(faultsField)],
      {
        delay: 400,
        needsRefresh: ({ startState, state }) => startState.field(faultsField) !== state.field(faultsField),
      },
    ),
    EditorView.updateListener.of(({ startState, state }) => {
      const marks = state.field(faultsField);
      if (marks === startState.field(faultsField)) return;
      onMarked(marks.map(({ fault, from }) => ({ ...fault, line: state.doc.lineAt(from).number })));
    }),
  ];
}

/** Marks what the API found, the first {@link MOST_MARKED} of it. */
export function showFaults(view: EditorView, faults: readonly DocumentFault[]): void {
  const { doc } = view.state;
  if (faults.length === 0) {
    if (view.state.field(faultsField).length > 0) view.dispatch({ effects: setFaults.of([]) });
    return;
  }
  const tree = jsonLanguage.parser.parse(doc.toString());
  const read = (from: number, to: number) => doc.sliceString(from, to);
  const marks = faults.slice(0, MOST_MARKED).map((fault): Mark => {
    const { field, message } = fault;
    // Of a member that should not be there its name is to blame, of others their value.
    const place = placeOf(tree, read, field, { name: message.endsWith('known field') });
    return { ...place, fault, severity: 'error', message: `${field === '' ? 'The document' : field} ${message}` };
  });
  view.dispatch({ effects: setFaults.of(marks) });
  forceLinting(view);
}

/** Where a fault is marked now; null when its text has changed. */
export function markOf(state: EditorState, { field, message }: DocumentFault): number | null {
  const found = state.field(faultsField).find(({ fault }) => fault.field === field && fault.message === message);
  return found?.from ?? null;
}
