import { Button } from '@arco-design/web-react';
import type { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../platform/i18n/use-translation.ts';
import type { ControlProps } from '../control.ts';
import { createEditor, languages, setAccess } from './code-editor.ts';
import './code.css';

/** Edits source code with syntax highlighting; Esc followed by Tab leaves the editor. */
export default function CodeControl({ field, id, value, disabled, isWrong, describedBy, onChange }: ControlProps) {
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
    <div className={isWrong ? 'crud-code crud-code_wrong' : 'crud-code'}>
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
