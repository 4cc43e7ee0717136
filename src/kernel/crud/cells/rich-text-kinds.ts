import { getSchema, type JSONContent } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import { DOMParser } from '@tiptap/pm/model';
import StarterKit from '@tiptap/starter-kit';
import { parseMarkup } from '../../platform/browser/trusted-types.ts';

/** Marks and blocks that formatted text may contain. */
export const richTextKinds = [
  StarterKit.configure({ link: { openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'] }, heading: { levels: [2, 3] } }),
  Image,
];

const parser = DOMParser.fromSchema(getSchema(richTextKinds));

/** Parses HTML to editor content and drops what `richTextKinds` does not know. The editor would parse text itself, which Trusted Types refuse. */
export const richTextContent = (html: string): JSONContent => parser.parse(parseMarkup(html)).toJSON() as JSONContent;
