import { useMemo } from 'react';
import { Http, loadable, useService, useStream, useTranslation } from '#kernel';
import { resource } from '../contract.ts';
import { words } from './messages.ts';

/** Shows the number of folders and files in a folder; a new `round` reloads it. */
export function Numbers({ pid, round }: { readonly pid: string; readonly round: number }) {
  const http = useService(Http);
  const t = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` reloads the numbers
  const numbers$ = useMemo(() => loadable(http.send(resource.numbers, { pid })), [http, pid, round]);
  const { value } = useStream(numbers$, { status: 'loading' });
  return <p>{value && t(words.counted, { folders: value.folders, files: value.files })}</p>;
}
