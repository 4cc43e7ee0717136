import { useText } from '../platform/i18n/use-words.ts';
import { ProblemView } from '../ui/errors/ProblemView.tsx';

/** Shown when the console itself could not be loaded or started. */
export function BootFailure({ error }: { readonly error: Error }) {
  const text = useText();
  return (
    <ProblemView
      scene="offline"
      title={text('shell.bootFailed')}
      explanation={text('shell.bootFailedExplained')}
      details={error.message}
      actions={[
        { label: text('errors.retry'), onAction: () => window.location.reload() },
        { label: text('shell.safeMode'), onAction: () => window.location.assign('/?safe=1') },
      ]}
    />
  );
}
