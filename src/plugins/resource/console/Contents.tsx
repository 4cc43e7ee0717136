import { Button, Pagination } from '@arco-design/web-react';
import { type ComponentProps, useMemo, useRef, useState } from 'react';
import { Http, loadable, useService, useStream, useTranslation } from '#kernel';
import { type ResourceRow, resource } from '../contract.ts';
import { words } from './messages.ts';
import type { ResourceOwner } from './ResourceBar.tsx';
import { ResourceGrid } from './ResourceGrid.tsx';
import styles from './resource.module.css';

const pageSize = 10;

type ContentsProps = Omit<ComponentProps<typeof ResourceGrid>, 'rows'> & {
  readonly pid: string;
  readonly whose: ResourceOwner;
  readonly name: string;
  /** A new value reloads the list. */
  readonly round: number;
};

/** Shows the content of a folder page by page; a search by name covers all folders below it. */
export function Contents({ pid, whose, name, round, ...shelf }: ContentsProps) {
  const http = useService(Http);
  const t = useTranslation();
  const [current, setCurrent] = useState(1);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` reloads the page
  const page$ = useMemo(() => {
    const query = { current, size: pageSize, ...(name ? { name } : { pid }) };
    return loadable(http.send(whose === 'mine' ? resource.mine : resource.list, query));
  }, [http, pid, whose, name, current, round, tries]);
  const { value, status } = useStream(page$, { status: 'loading' });
  // The previous page stays visible until the next one has loaded.
  const last = useRef(value);
  if (value) last.current = value;
  const page = value ?? last.current;
  const rows = (page?.records ?? []) as readonly ResourceRow[];
  return (
    <section className={styles.contents} aria-label={t(words.department)} aria-busy={status === 'loading'}>
      {status === 'failed' && (
        <p className={styles.none} role="alert">
          {t(words.unread)} <Button onClick={() => setTries(tries + 1)}>{t(words.retry)}</Button>
        </p>
      )}
      {value && rows.length === 0 && <p className={styles.none}>{t(name ? words.noneFound : words.empty)}</p>}
      <ResourceGrid rows={rows} {...shelf} />
      {page && page.total > pageSize && <Pagination current={current} pageSize={pageSize} total={page.total} onChange={setCurrent} />}
    </section>
  );
}
