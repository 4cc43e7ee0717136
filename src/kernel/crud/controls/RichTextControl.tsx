import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { richTextContent, richTextExtensions } from '../cells/rich-text-extensions.ts';
import type { ControlProps } from './control.ts';
import { RichTextTools } from './RichTextTools.tsx';
import '../cells/rich-text.css';

/** Edits formatted text. The server sanitizes the HTML it stores. */
export default function RichTextControl({ field, id, value, disabled, isWrong, describedBy, onChange }: ControlProps) {
  const html = typeof value === 'string' ? value : '';
  const written = useRef(html);
  const [initial] = useState(() => richTextContent(html));
  const editor = useEditor({
    extensions: richTextExtensions,
    content: initial,
    editable: !disabled,
    // The page's content security policy refuses injected style sheets.
    injectCSS: false,
    immediatelyRender: true,
    onUpdate: ({ editor: changed }) => {
      written.current = changed.isEmpty ? '' : changed.getHTML();
      onChange(written.current || undefined);
    },
  });

  useEffect(() => {
    if (html === written.current) return;
    written.current = html;
    editor.commands.setContent(richTextContent(html), { emitUpdate: false });
  }, [editor, html]);
  useEffect(() => {
    editor.setEditable(!disabled, false);
  }, [editor, disabled]);
  useEffect(() => {
    const attributes = {
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-labelledby': `${id}-label`,
      'aria-required': String(field.required),
      'aria-invalid': String(isWrong),
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    };
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, id, field.required, isWrong, describedBy]);

  return (
    <div className={isWrong ? 'crud-rich crud-rich_wrong' : 'crud-rich'}>
      <RichTextTools editor={editor} disabled={disabled} />
      <EditorContent editor={editor} className="crud-rich__text" />
    </div>
  );
}
