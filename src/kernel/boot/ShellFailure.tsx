import { useTranslation } from '../platform/i18n/use-translation.ts';
import { ProblemView } from '../ui/errors/ProblemView.tsx';

/** Replaces the whole shell when a part of it, not a page, has failed. */
export function ShellFailure({ error }: { readonly error: unknown }) {
  const t = useTranslation();
  return (
    <ProblemView
      scene="broken"
      title={t('errors.brokenTitle')}
      explanation={t('errors.broken')}
      details={error instanceof Error ? (error.stack ?? error.message) : String(error)}
      actions={[{ label: t('errors.retry'), onAction: () => window.location.reload() }]}
    />
  );
}
