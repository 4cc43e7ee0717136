import { type ReactNode, Suspense } from 'react';
import { instanceKey } from '../../base/container/services.ts';
import { ServicesProvider, useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
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
      fallback={(_, retry) => <ContributionFailure of={of} onRetry={retry} />}
    >
      <ServicesProvider services={of.services}>
        <Suspense>{children}</Suspense>
      </ServicesProvider>
    </PageBoundary>
  );
}

function ContributionFailure({ of, onRetry }: { readonly of: Owner; readonly onRetry: () => void }) {
  const t = useTranslation();
  return (
    <span className={styles.fallen} role="alert">
      {t('errors.contributionFailed', { plugin: t(of.pluginTitle) })}
      <button type="button" onClick={onRetry}>
        {t('errors.retry')}
      </button>
    </span>
  );
}
