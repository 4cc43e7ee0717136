import { useTranslation } from '../platform/i18n/use-translation.ts';
import { ProblemView } from '../ui/errors/ProblemView.tsx';

/** Shown when the console itself could not be loaded or started. */
export function BootFailure({ error }: { readonly error: Error }) {
  const t = useTranslation();
  return (
    <ProblemView
      scene="offline"
      title={t('shell.bootFailed')}
      explanation={t('shell.bootFailedExplained')}
      details={error.message}
      actions={[
        { label: t('errors.retry'), onAction: () => window.location.reload() },
        { label: t('shell.safeMode'), onAction: () => window.location.assign('/?safe=1') },
      ]}
    />
  );
}
