import { useMemo } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { resource } from '../contract.ts';
import { words } from './words.ts';

/** Shows the number of folders and files in a folder; a new `round` reloads it. */
export function Numbers({ pid, round }: { readonly pid: string; readonly round: number }) {
  const http = useService(Http);
  const say = useWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` reloads the numbers
  const numbers$ = useMemo(() => loadable(http.send(resource.numbers, { pid })), [http, pid, round]);
  const { value } = useStream(numbers$, { status: 'loading' });
  return <p>{value && say(words.counted, { folders: value.folders, files: value.files })}</p>;
}
