import type { FileReplyRow } from '#shared/files';

/** The link of a file as a field keeps it: the file's id and the name its owner gave it stand behind `#`, which no server is sent. */
export const linkOf = ({ id, link, originalName }: FileReplyRow): string => `${link}#${id}/${encodeURIComponent(originalName)}`;

/** What is read off such a link; a link from elsewhere is called by its last part. */
export function fileBehind(link: string): { readonly id: string | undefined; readonly name: string; readonly address: string } {
  const [address = '', behind = ''] = link.split('#');
  const [, id, name] = /^(\d+)\/(.+)$/.exec(behind) ?? [];
  const last = name ?? (behind || (address.split('?')[0] ?? '').split('/').at(-1) || address);
  return { id, name: decoded(last), address };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a file is one of those a file input would accept. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, accept: string | undefined): boolean {
  const kinds = (accept ?? '').split(',').map((kind) => kind.trim().toLowerCase());
  if (kinds.every((kind) => kind === '')) return true;
  return kinds.some((kind) => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind);
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind;
  });
}
