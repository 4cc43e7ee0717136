import type { FileReplyRow } from '#shared/files';

/** Builds the link that a field stores. Id and original name of the file are in the fragment, which browsers do not send to a server. */
export const linkOf = ({ id, link, originalName }: FileReplyRow): string => `${link}#${id}/${encodeURIComponent(originalName)}`;

/** Parses a link of a file field. Any other link has no id and is named after its fragment, or else after its last path segment. */
export function parseFileLink(link: string): { readonly id: string | undefined; readonly name: string; readonly address: string } {
  const [address = '', fragment = ''] = link.split('#');
  const [, id, name] = /^(\d+)\/(.+)$/.exec(fragment) ?? [];
  const encodedName = name ?? (fragment || (address.split('?')[0] ?? '').split('/').at(-1) || address);
  return { id, name: decodeOrKeep(encodedName), address };
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Tells whether a file input with this `accept` would accept the file. */
export function isAccepted({ name, type }: Pick<File, 'name' | 'type'>, accept: string | undefined): boolean {
  const kinds = (accept ?? '').split(',').map((kind) => kind.trim().toLowerCase());
  if (kinds.every((kind) => kind === '')) return true;
  return kinds.some((kind) => {
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind);
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind;
  });
}

/** Returns the link of a stored picture's thumbnail; any other link is returned unchanged. */
export const thumbnailUrl = (link: string): string => link.replace(/^([^#]*[?&]key=[0-9a-f]{32}[^#]*)/, '$1&view=small');
