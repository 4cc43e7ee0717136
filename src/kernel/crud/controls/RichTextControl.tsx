import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { richTextContent, richTextExtensions } from '../cells/rich-text-extensions.ts';
import type { ControlProps } from './control.ts';
import '../cells/rich-text.css';
import { Button, Input } from '@arco-design/web-react';
import {
  IconBold,
  IconH2,
  IconImage,
  IconItalic,
  IconLink,
  IconOrderedList,
  IconQuote,
  IconRedo,
  IconStrikethrough,
  IconUnderline,
  IconUndo,
  IconUnorderedList,
} from '@arco-design/web-react/icon';
import { files } from '#shared/files';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { IconButton } from '../../ui/primitives/IconButton.tsx';

/** Edits formatted text. The server sanitizes the HTML it stores. */
export default function RichTextControl({ field, id, value, disabled, isInvalid, describedBy, onChange }: ControlProps) {
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
      'aria-invalid': String(isInvalid),
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    };
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, id, field.required, isInvalid, describedBy]);

  return (
    <div className={isInvalid ? 'crud-rich crud-rich_wrong' : 'crud-rich'}>
      <RichTextTools editor={editor} disabled={disabled} />
      <EditorContent editor={editor} className="crud-rich__text" />
    </div>
  );
}

interface Tool {
  readonly label: TextKey;
  readonly icon: ReactNode;
  /** Name of the mark or block that is active at the cursor. */
  readonly name?: string;
  readonly run: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  { label: 'form.bold', icon: <IconBold />, name: 'bold', run: (editor) => editor.chain().focus().toggleBold().run() },
  { label: 'form.italic', icon: <IconItalic />, name: 'italic', run: (editor) => editor.chain().focus().toggleItalic().run() },
  { label: 'form.underline', icon: <IconUnderline />, name: 'underline', run: (editor) => editor.chain().focus().toggleUnderline().run() },
  { label: 'form.strike', icon: <IconStrikethrough />, name: 'strike', run: (editor) => editor.chain().focus().toggleStrike().run() },
  { label: 'form.heading', icon: <IconH2 />, name: 'heading', run: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run() },
  { label: 'form.bulletList', icon: <IconUnorderedList />, name: 'bulletList', run: (editor) => editor.chain().focus().toggleBulletList().run() },
  { label: 'form.orderedList', icon: <IconOrderedList />, name: 'orderedList', run: (editor) => editor.chain().focus().toggleOrderedList().run() },
  { label: 'form.quote', icon: <IconQuote />, name: 'blockquote', run: (editor) => editor.chain().focus().toggleBlockquote().run() },
];
const steps: readonly Tool[] = [
  { label: 'form.undo', icon: <IconUndo />, run: (editor) => editor.chain().focus().undo().run() },
  { label: 'form.redo', icon: <IconRedo />, run: (editor) => editor.chain().focus().redo().run() },
];

/** Toolbar of the rich text editor: one stop of the Tab key; arrow keys move between its tools. */
function RichTextTools({ editor, disabled }: { readonly editor: Editor; readonly disabled: boolean }) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const bar = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLInputElement>(null);
  const [address, setAddress] = useState<string>();
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => [...tools, { name: 'link' }].flatMap(({ name }) => (name && now.isActive(name) ? [name] : [])).join(),
  }).split(',');

  const insertPicture = async (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    input.value = '';
    if (!file) return;
    const answer = await http.send(files.upload, { isPublic: true }, { file }).catch(() => undefined);
    if (!answer) toasts.error(t('form.uploadFailed', { name: file.name }));
    if (answer?.success) editor.chain().focus().setImage({ src: answer.data.link, alt: answer.data.originalName }).run();
  };
  const setLink = () => {
    const chain = editor.chain().focus().extendMarkRange('link');
    if (address) chain.setLink({ href: address }).run();
    else chain.unsetLink().run();
    setAddress(undefined);
  };
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    setLink();
  };
  const button = ({ label, icon, name, run }: Tool, isFirst = false) => (
    <IconButton
      key={label}
      label={t(label)}
      tabIndex={isFirst ? 0 : -1}
      disabled={disabled}
      {...(name ? { 'aria-pressed': active.includes(name) } : {})}
      onClick={() => run(editor)}
    >
      {icon}
    </IconButton>
  );

  return (
    <>
      <div ref={bar} role="toolbar" aria-label={t('form.formatting')} className="crud-rich__tools" onKeyDown={(event) => moveToolFocus(event, bar.current)}>
        {tools.map((tool, index) => button(tool, index === 0))}
        {button({
          label: 'form.link',
          icon: <IconLink />,
          name: 'link',
          run: () => setAddress(address === undefined ? ((editor.getAttributes('link').href as string | undefined) ?? '') : undefined),
        })}
        {button({ label: 'form.insertImage', icon: <IconImage />, run: () => picture.current?.click() })}
        {steps.map((tool) => button(tool))}
        <input ref={picture} type="file" hidden tabIndex={-1} accept="image/*" onChange={(event) => void insertPicture(event.target)} />
      </div>
      {address !== undefined && (
        <div className="crud-rich__link">
          <Input
            autoFocus
            size="small"
            type="url"
            aria-label={t('form.linkAddress')}
            placeholder="https://"
            value={address}
            onChange={setAddress}
            onKeyDown={onEnter}
          />
          <Button size="small" type="primary" onClick={setLink}>
            {t(address ? 'form.apply' : 'form.unlink')}
          </Button>
        </div>
      )}
    </>
  );
}

function moveToolFocus(event: KeyboardEvent, bar: HTMLElement | null): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0 || !bar) return;
  const buttons = [...bar.querySelectorAll('button')];
  event.preventDefault();
  buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + step) % buttons.length)?.focus();
}
