import { type ReactNode, Suspense } from 'react';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import { useText, useWords } from '../i18n/use-words.ts';
import { lifeOf } from '../plugin-host/life-of.ts';
import { ServicesProvider, useService } from '../services.tsx';
import styles from './Guest.module.css';
import { type Filled, Slots } from './slots.ts';

type Owner = Pick<Filled<unknown>, 'pluginId' | 'pluginTitle' | 'services'>;

/** Another plugin's part among one's own: it has its plugin's services, and its failure stays in it. */
export function Guest({ of, children }: { readonly of: Owner; readonly children: ReactNode }) {
  const slots = useService(Slots);
  return (
    <PageBoundary key={lifeOf(of.services)} onError={(error) => slots.report(of.pluginId, error)} fallback={(_, retry) => <Fallen of={of} onRetry={retry} />}>
      <ServicesProvider services={of.services}>
        <Suspense>{children}</Suspense>
      </ServicesProvider>
    </PageBoundary>
  );
}

function Fallen({ of, onRetry }: { readonly of: Owner; readonly onRetry: () => void }) {
  const text = useText();
  const say = useWords();
  return (
    <span className={styles.fallen} role="alert">
      {text('errors.part', { plugin: say(of.pluginTitle) })}
      <button type="button" onClick={onRetry}>
        {text('errors.retry')}
      </button>
    </span>
  );
}
