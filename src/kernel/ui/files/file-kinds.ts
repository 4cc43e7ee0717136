/** Kinds of preview the console can show. */
export type PreviewKind = 'picture' | 'video' | 'sound' | 'pdf' | 'text' | 'none';

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** Derives the kind from the MIME type, not from the file's extension. */
export function fileKind(type: string): PreviewKind {
  if (pictures.has(type)) return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'sound';
  if (type === 'application/pdf') return 'pdf';
  return type === 'text/plain' || type === 'application/xml' ? 'text' : 'none';
}
