import { EditorContent, useEditor } from '@tiptap/react';
import { richTextKinds } from '../form/controls/rich-text-kinds.ts';
import '../form/controls/rich-text.css';

/** Formatted text to be read: of the HTML nothing is drawn but what the editor knows. */
export default function RichTextValue({ html }: { readonly html: string }) {
  const editor = useEditor(
    {
      extensions: richTextKinds,
      content: html,
      editable: false,
      injectCSS: false,
      // It is no field here.
      editorProps: { attributes: { role: 'presentation' } },
    },
    [html],
  );
  return <EditorContent editor={editor} className="crud-rich__text field-list__rich" />;
}
