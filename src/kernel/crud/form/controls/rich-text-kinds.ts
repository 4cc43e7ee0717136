import Image from '@tiptap/extension-image';
import StarterKit from '@tiptap/starter-kit';

/** What formatted text may hold. */
export const richTextKinds = [
  StarterKit.configure({ link: { openOnClick: false, protocols: ['http', 'https', 'mailto', 'tel'] }, heading: { levels: [2, 3] } }),
  Image,
];
