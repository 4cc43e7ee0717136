import { useText } from '../platform/i18n/use-words.ts';
import { ProblemView } from '../ui/errors/ProblemView.tsx';

/** Replaces the whole shell when a part of it, not a page, has failed. */
export function ShellFailure({ error }: { readonly error: unknown }) {
  const text = useText();
  return (
    <ProblemView
      scene="broken"
      title={text('errors.brokenTitle')}
      explanation={text('errors.broken')}
      details={error instanceof Error ? (error.stack ?? error.message) : String(error)}
      actions={[{ label: text('errors.retry'), onAction: () => window.location.reload() }]}
    />
  );
}
