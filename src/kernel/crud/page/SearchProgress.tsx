import { Button } from '@arco-design/web-react';
import type { SearchedRange } from '#shared/contract';
import { useStore } from '../../base/react/use-store.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { searchMessages } from './search-messages.ts';
import './search-progress.css';

/** Shows how far back a search by text has come while rows appear, and stops or resumes it. */
export default function SearchProgress({ store }: { readonly store: CrudStore }) {
  const t = useTranslation();
  const searched = useStore(store, (state) => state.searched);
  const isFull = useStore(store, (state) => state.rows.length >= state.query.size);
  const isRunning = useStore(store, (state) => state.status === 'loading');
  if (!searched || isFull) return null;
  const isDone = searched.reached <= searched.from;
  const share = shareOf(searched);
  return (
    <div className="crud-searched">
      {!isDone && <progress aria-label={t(searchMessages.progress)} max={100} value={share} />}
      <span role="status">{t(searchMessages[isDone ? 'done' : isRunning ? 'running' : 'stopped'], { ...searched, share })}</span>
      {!isDone && (
        <Button size="small" onClick={() => store.controlSearch(isRunning ? 'stop' : 'resume')}>
          {t(isRunning ? searchMessages.stop : searchMessages.resume)}
        </Button>
      )}
    </div>
  );
}

/** Returns the searched share of the range in percent; 100 only at its end. */
function shareOf({ from, to, reached }: SearchedRange): number {
  const [first, last, current] = [from, to, reached].map((time) => Date.parse(`${time.replace(' ', 'T')}Z`)) as [number, number, number];
  return last <= first ? 100 : Math.floor(((last - current) / (last - first)) * 100);
}
