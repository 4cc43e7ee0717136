import { Button } from '@arco-design/web-react';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { ControlProps } from '../control.ts';
import './code.css';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, defaultHighlightStyle, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import type { FieldTraits } from '#shared/fields';

/** Edits source code with syntax highlighting; Esc followed by Tab leaves the editor. */
export default function CodeControl({ field, id, value, disabled, isInvalid, describedBy, onChange }: ControlProps) {
  const t = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latestOnChange = useRef(onChange);
  const content = typeof value === 'string' ? value : '';
  const latestContent = useRef(content);
  const lastApplied = useRef({ disabled, name: '' });
  const { language = 'text', title } = field.traits;
  const name = `${t(title)} · ${t('form.leaveEditor')}`;
  useEffect(() => {
    latestOnChange.current = onChange;
    latestContent.current = content;
    lastApplied.current = { disabled, name };
  });

  useEffect(() => {
    if (!host.current) return;
    // The page's content security policy allows a constructed style sheet in a shadow root, but no style element in the head.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    let isDisposed = false;
    void languages[language]().then((extensions) => {
      if (isDisposed) return;
      view.current = createEditor({
        root,
        content: latestContent.current,
        extensions,
        onChange: (newContent) => latestOnChange.current(newContent || undefined),
      });
      view.current.dispatch({ effects: setAccess(lastApplied.current.disabled, lastApplied.current.name) });
    });
    return () => {
      isDisposed = true;
      view.current?.destroy();
      view.current = undefined;
    };
  }, [language]);

  useEffect(() => {
    view.current?.dispatch({ effects: setAccess(disabled, name) });
  }, [disabled, name]);
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== content) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: content } });
  }, [content]);

  const format = () => {
    try {
      onChange(JSON.stringify(JSON.parse(content), null, 2));
    } catch {
      // Invalid JSON stays unchanged; its error is shown below the field.
    }
  };

  return (
    <div className={isInvalid ? 'crud-code crud-code_wrong' : 'crud-code'}>
      {language === 'json' && (
        <Button size="mini" type="text" className="crud-code__format" disabled={disabled || content === ''} onClick={format}>
          {t('form.format')}
        </Button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: the editor inside has its own role; the group connects it with its help text */}
      <div ref={host} data-shadow role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy} />
    </div>
  );
}

type CodeLanguage = NonNullable<FieldTraits['language']>;

/** Language extensions of the editor, loaded on first use. */
const languages: { readonly [Name in CodeLanguage]: () => Promise<Extension> } = {
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
const setAccess = (isReadOnly: boolean, name: string) =>
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
function createEditor({ root, content, extensions, onChange }: CodeEditorOptions): EditorView {
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
