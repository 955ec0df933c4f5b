import { autocompletion } from '@codemirror/autocomplete';
import { json } from '@codemirror/lang-json';
import { indentUnit } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { styleNonce } from '../../../../app/look/nonce.ts';
import { completionOf } from './completion.ts';
import classes from './editor.module.css';
import { type DocumentFault, faultMarks, type MarkedFault, markOf, showFaults } from './faults.ts';
import { hoverOf } from './hover.ts';
import { look } from './look.ts';
import type { Schema } from './schema-at.ts';

/** What the page asks of the editor: its text lives in there, and is not copied with each key. */
export interface EditorHandle {
  text(): string;
  /** This text is what is saved now; the editor's own may have moved on since it was read. */
  markSaved(text: string): void;
  /** Puts another text in place of the whole; it can be undone. */
  replace(text: string): void;
  /** Marks faults at their places. */
  show(faults: readonly DocumentFault[]): void;
  goTo(fault: DocumentFault): void;
  goToPosition(position: number): void;
}

interface JsonEditorProps {
  readonly label: string;
  readonly describedBy: string;
  readonly initial: string;
  /** What the text is compared with. */
  readonly saved: string;
  readonly schema: Schema | null;
  readonly sourceId: string;
  /** Too large to be coloured, completed and checked with each key. */
  readonly plain: boolean;
  readonly onDirty: (dirty: boolean) => void;
  /** It holds the text from now on. */
  readonly onReady: () => void;
  /** Which of the faults are marked still, and on which lines. */
  readonly onMarked: (marked: readonly MarkedFault[]) => void;
  readonly onSave: () => void;
  readonly handle: RefObject<EditorHandle | null>;
}

/** A text of JSON. The Tab key leaves it, so that keyboard users are not trapped in it. */
export default function JsonEditor(props: JsonEditorProps) {
  const { label, describedBy, schema, sourceId, plain, handle } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const savedDoc = useRef<Text | null>(null);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const doc = view.current?.state.doc ?? textOf(latest.current.initial);
    savedDoc.current ??= latest.current.initial === latest.current.saved ? doc : textOf(latest.current.saved);
    const saves = () => {
      latest.current.onSave();
      return true;
    };
    const told = (now: Text) => latest.current.onDirty(!now.eq(savedDoc.current!));
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        extensions: [
          EditorView.cspNonce.of(styleNonce),
          keymap.of([{ key: 'Mod-s', preventDefault: true, run: saves }]),
          basics,
          faultMarks(!plain, (marked) => latest.current.onMarked(marked)),
          plain ? [] : helps(schema, sourceId),
          look,
          EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-describedby': describedBy }),
          EditorView.updateListener.of(({ docChanged, state }) => docChanged && told(state.doc)),
        ],
      }),
    });
    view.current = made;
    latest.current.onReady();
    return () => made.destroy();
  }, [label, describedBy, schema, sourceId, plain]);

  useImperativeHandle(handle, () => {
    const now = () => view.current!;
    const goToPosition = (position: number) => {
      now().dispatch({
        selection: { anchor: position },
        effects: EditorView.scrollIntoView(position, { y: 'center' }),
      });
      now().focus();
    };
    return {
      text: () => now().state.doc.toString(),
      markSaved: (text) => {
        savedDoc.current = textOf(text);
        latest.current.onDirty(!now().state.doc.eq(savedDoc.current));
      },
      replace: (text) => now().dispatch({ changes: { from: 0, to: now().state.doc.length, insert: text } }),
      show: (faults) => showFaults(now(), faults),
      goTo: (fault) => {
        const position = markOf(now().state, fault);
        if (position !== null) goToPosition(position);
        else now().focus();
      },
      goToPosition,
    };
  }, []);

  return <div ref={place} className={classes.editor} />;
}

function textOf(text: string): Text {
  return Text.of(text.split(/\r\n?|\n/));
}

const basics: Extension = [basicSetup, lintGutter(), indentUnit.of('  '), EditorView.lineWrapping];

function helps(schema: Schema | null, sourceId: string): Extension {
  const completion = schema === null ? [] : [completionOf({ schema, sourceId })];
  return [
    json(),
    autocompletion({ override: completion, icons: false }),
    ...(schema === null ? [] : [hoverOf(schema)]),
  ];
}
