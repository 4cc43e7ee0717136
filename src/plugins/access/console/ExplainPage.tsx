import { useEffect } from 'react';
import { Http, Session, usePageStore, useService, useStore, useWords } from '#kernel';
import { ExplainedSteps } from './ExplainedSteps.tsx';
import { ExplainForm } from './ExplainForm.tsx';
import styles from './explain.module.css';
import { ExplainStore } from './explain-store.ts';
import { explainWords } from './explain-words.ts';

/**
 * Why somebody may do something, or why not, step by step. The top task, "why can this user not open that page", takes three clicks from the user's row:
 * 权限说明, the list of pages, the page. From the page that says 403 it takes one.
 */
export default function ExplainPage() {
  const http = useService(Http);
  const session = useService(Session);
  const say = useWords();
  const store = usePageStore(() => new ExplainStore(http, askedFor(session.user?.user_id ?? '')));
  useEffect(() => void store.begin(), [store]);
  const { status, answer } = useStore(store, (state) => state);
  return (
    <div className={styles.page}>
      <ExplainForm store={store} />
      <section className={styles.answer} aria-live="polite" aria-busy={status === 'loading'}>
        {answer ? <ExplainedSteps explanation={answer} /> : <p className={styles.hint}>{say(explainWords.hint)}</p>}
      </section>
    </div>
  );
}

/** What the address asks for; oneself where it names nobody. */
function askedFor(oneself: string) {
  const query = new URLSearchParams(window.location.search);
  return { userId: query.get('userId') ?? oneself, about: query.get('about') ?? '', rowId: query.get('rowId') ?? '' };
}
