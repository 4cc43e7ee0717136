import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { ProblemView } from '../../ui/errors/ProblemView.tsx';
import { recordMessages } from './record-messages.ts';

interface RecordProblemProps {
  readonly problem: 'missing' | 'failed';
  readonly onRetry: () => void;
  readonly onList: () => void;
}

/** Replaces a record that does not exist, that this user may not view, or that could not be loaded, and leads back to the list. */
export function RecordProblem({ problem, onRetry, onList }: RecordProblemProps) {
  const t = useTranslation();
  const back = { label: t(recordMessages.back), onAction: onList };
  return problem === 'missing' ? (
    <ProblemView scene="search" title={t(recordMessages.missingTitle)} explanation={t(recordMessages.missingHint)} actions={[back]} />
  ) : (
    <ProblemView scene="offline" title={t(recordMessages.failedTitle)} explanation="" actions={[{ label: t(recordMessages.retry), onAction: onRetry }, back]} />
  );
}
