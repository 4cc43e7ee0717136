import { EditorContent, useEditor } from '@tiptap/react';
import { useMemo } from 'react';
import { richTextContent, richTextExtensions } from './rich-text-extensions.ts';
import './rich-text.css';

/** Renders formatted text read-only; HTML the editor does not know is dropped. */
export default function RichTextValue({ html }: { readonly html: string }) {
  const content = useMemo(() => richTextContent(html), [html]);
  const editor = useEditor(
    {
      extensions: richTextExtensions,
      content,
      editable: false,
      injectCSS: false,
      // The editor's default role `textbox` is wrong for read-only text.
      editorProps: { attributes: { role: 'presentation' } },
    },
    [content],
  );
  return <EditorContent editor={editor} className="crud-rich__text field-list__rich" />;
}
