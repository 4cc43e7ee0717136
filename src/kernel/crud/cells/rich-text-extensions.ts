import { getSchema, type JSONContent } from '@tiptap/core';
import Image from '@tiptap/extension-image';
import { DOMParser } from '@tiptap/pm/model';
import StarterKit from '@tiptap/starter-kit';
import { parseMarkup } from '../../platform/browser/trusted-types.ts';

/** Tiptap extensions for the marks and blocks that rich text can contain. */
export const richTextExtensions = [
  StarterKit.configure({ link: { openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'] }, heading: { levels: [2, 3] } }),
  Image,
];

const parser = DOMParser.fromSchema(getSchema(richTextExtensions));

/** Parses HTML to editor content and drops elements that no extension supports. The parser of the editor is not used, because Trusted Types block it. */
export const richTextContent = (html: string): JSONContent => parser.parse(parseMarkup(html)).toJSON() as JSONContent;
