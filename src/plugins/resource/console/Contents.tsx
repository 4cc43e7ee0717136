import { Button, Pagination } from '@arco-design/web-react';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import { Http, loadable, useService, useStream, useWords } from '#kernel';
import { type ResourceRow, resource } from '../contract.ts';
import type { Whose } from './ResourceBar.tsx';
import styles from './resource.module.css';
import { Shelf } from './Shelf.tsx';
import { words } from './words.ts';

const pageSize = 60;

type ContentsProps = Omit<ComponentProps<typeof Shelf>, 'rows'> & {
  readonly pid: string;
  readonly whose: Whose;
  readonly name: string;
  /** Another one asks again. */
  readonly round: number;
};

/** What is in a folder, page by page; what is looked for by name is looked for below it too, wherever it stands. */
export function Contents({ pid, whose, name, round, ...shelf }: ContentsProps) {
  const http = useService(Http);
  const say = useWords();
  const [current, turn] = useState(1);
  const [tries, retry] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  const page$ = useMemo(() => {
    const query = { current, size: pageSize, ...(name ? { name } : { pid }) };
    return loadable(http.send(whose === 'mine' ? resource.mine : resource.list, query));
  }, [http, pid, whose, name, current, round, tries]);
  const { value, status } = useStream(page$, { status: 'loading' });
  // What was there stays in sight until the next answer.
  const last = useRef(value);
  if (value) last.current = value;
  const page = value ?? last.current;
  const rows = (page?.records ?? []) as readonly ResourceRow[];
  return (
    <section className={styles.contents} aria-label={say(words.department)} aria-busy={status === 'loading'}>
      {status === 'failed' && (
        <p className={styles.none} role="alert">
          {say(words.unread)} <Button onClick={() => retry(tries + 1)}>{say(words.retry)}</Button>
        </p>
      )}
      {value && rows.length === 0 && <p className={styles.none}>{say(name ? words.noneFound : words.empty)}</p>}
      <Shelf rows={rows} {...shelf} />
      {page && page.total > pageSize && <Pagination current={current} pageSize={pageSize} total={page.total} onChange={turn} />}
    </section>
  );
}
