/** How an attachment can be looked at here. */
export type PreviewKind = 'picture' | 'video' | 'sound' | 'pdf' | 'text' | 'none';

const pictures = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** By its content, whatever its name ends in. */
export function kindOf(type: string): PreviewKind {
  if (pictures.has(type)) return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'sound';
  if (type === 'application/pdf') return 'pdf';
  return type === 'text/plain' || type === 'application/xml' ? 'text' : 'none';
}
