import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, defaultHighlightStyle, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { FieldTraits } from '#shared/fields';

type Language = NonNullable<FieldTraits['language']>;

/** Language extensions of the editor, loaded on first use. */
export const languages: { readonly [Name in Language]: () => Promise<Extension> } = {
  json: async () => {
    const [{ json, jsonParseLinter }, { linter, lintGutter }] = await Promise.all([import('@codemirror/lang-json'), import('@codemirror/lint')]);
    return [json(), linter((view) => (view.state.doc.length > 0 ? jsonParseLinter()(view) : [])), lintGutter()];
  },
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  text: async () => [],
};

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'transparent', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { minHeight: '120px', maxHeight: '420px', overflow: 'auto', fontFamily: 'ui-monospace, Menlo, Consolas, monospace' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--text-faint)', backgroundColor: 'var(--surface-sunken)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--brand) 8%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--brand) 30%, transparent)',
  },
  '.cm-tooltip': { color: 'var(--text)', backgroundColor: 'var(--surface)', border: '1px solid var(--line)' },
});

// The standard colours are legible on light backgrounds only, so they are mixed with the text colour of the theme.
const highlightColours = HighlightStyle.define(
  defaultHighlightStyle.specs.map((style) => (style.color ? { ...style, color: `color-mix(in oklab, ${style.color} 62%, var(--text))` } : style)),
);

const accessCompartment = new Compartment();

/** Returns the effect that sets whether an editor is read-only, and its accessible name. */
export const setAccess = (isReadOnly: boolean, name: string) =>
  accessCompartment.reconfigure([
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    EditorView.contentAttributes.of({ 'aria-label': name, ...(isReadOnly ? { tabindex: '0' } : {}) }),
  ]);

interface CodeEditorOptions {
  readonly root: ShadowRoot;
  readonly content: string;
  readonly extensions: Extension;
  readonly onChange: (content: string) => void;
}

/** Creates an editor in a shadow root. */
export function createEditor({ root, content, extensions, onChange }: CodeEditorOptions): EditorView {
  return new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: content,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        syntaxHighlighting(highlightColours),
        // Esc lets the next Tab leave the editor.
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
        accessCompartment.of([]),
        theme,
        extensions,
      ],
    }),
  });
}
