/** Kinds of preview that the console can show. */
export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'none';

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** Derives the kind from the MIME type, not from the file's extension. */
export function fileKind(type: string): PreviewKind {
  if (imageTypes.has(type)) return 'image';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  if (type === 'application/pdf') return 'pdf';
  return type === 'text/plain' || type === 'application/xml' ? 'text' : 'none';
}
