import { type ReactNode, Suspense } from 'react';
import { instanceKey } from '../../base/container/services.ts';
import { ServicesProvider, useService } from '../../base/react/services.tsx';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { PageBoundary } from '../errors/PageBoundary.tsx';
import styles from './ContributionBoundary.module.css';
import { type SlotContribution, Slots } from './slots.ts';

type Contributor = Pick<SlotContribution<unknown>, 'pluginId' | 'pluginTitle' | 'services'>;

/** Renders a component of another plugin with that plugin's services. An error in it does not affect the surrounding page. */
export function ContributionBoundary({ owner, children }: { readonly owner: Contributor; readonly children: ReactNode }) {
  const slots = useService(Slots);
  return (
    <PageBoundary
      key={instanceKey(owner.services)}
      onError={(error) => slots.report(owner.pluginId, error)}
      fallback={(_, retry) => <ContributionFailure owner={owner} onRetry={retry} />}
    >
      <ServicesProvider services={owner.services}>
        <Suspense>{children}</Suspense>
      </ServicesProvider>
    </PageBoundary>
  );
}

function ContributionFailure({ owner, onRetry }: { readonly owner: Contributor; readonly onRetry: () => void }) {
  const t = useTranslation();
  return (
    <span className={styles.failed} role="alert">
      {t('errors.contributionFailed', { plugin: t(owner.pluginTitle) })}
      <button type="button" onClick={onRetry}>
        {t('errors.retry')}
      </button>
    </span>
  );
}
