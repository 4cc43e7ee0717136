import type { CodeFile } from '../contract.ts';

/** Folder with its content; a folder that contains only another folder is merged with it. */
export interface Folder {
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly { readonly name: string; readonly file: CodeFile }[];
}

/** Groups files by folder, in their original order. */
export function folderOf(files: readonly CodeFile[], name = '', depth = 0): Folder {
  const inside = new Map<string, CodeFile[]>();
  const own: { name: string; file: CodeFile }[] = [];
  for (const file of files) {
    const [first = '', ...rest] = file.path.split('/').slice(depth);
    if (rest.length === 0) own.push({ name: first, file });
    else inside.set(first, [...(inside.get(first) ?? []), file]);
  }
  const folders = [...inside].map(([folder, held]) => joined(folderOf(held, folder, depth + 1)));
  return { name, folders, files: own };
}

function joined(folder: Folder): Folder {
  const [only, ...others] = folder.folders;
  return only && others.length === 0 && folder.files.length === 0 ? { ...only, name: `${folder.name}/${only.name}` } : folder;
}
