import { type ReactNode, Suspense } from 'react';
import { instanceKey } from '../../base/container/instance-key.ts';
import { ServicesProvider, useService } from '../../base/react/services.tsx';
import { useText, useWords } from '../../platform/i18n/use-words.ts';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import styles from './ContributionBoundary.module.css';
import { type SlotContribution, Slots } from './slots.ts';

type Owner = Pick<SlotContribution<unknown>, 'pluginId' | 'pluginTitle' | 'services'>;

/** Renders a component of another plugin with that plugin's services and contains its failure. */
export function ContributionBoundary({ of, children }: { readonly of: Owner; readonly children: ReactNode }) {
  const slots = useService(Slots);
  return (
    <PageBoundary
      key={instanceKey(of.services)}
      onError={(error) => slots.report(of.pluginId, error)}
      fallback={(_, retry) => <Fallen of={of} onRetry={retry} />}
    >
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
