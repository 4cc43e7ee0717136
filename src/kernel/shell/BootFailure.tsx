import { ProblemView } from '../errors/ProblemView.tsx';
import { useText } from '../i18n/use-words.ts';

/** Shown when the console itself could not be fetched or started. */
export function BootFailure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const text = useText();
  return (
    <ProblemView
      title={text('shell.bootFailed')}
      explanation={text('shell.bootFailedExplained')}
      details={error instanceof Error ? error.message : String(error)}
      actions={[
        { label: text('errors.retry'), onAction: onRetry },
        { label: text('shell.safeMode'), onAction: () => window.location.assign('/?safe=1') },
      ]}
    />
  );
}
