import type { TextKey } from '../i18n/texts.ts';
import { useText } from '../i18n/use-words.ts';
import { ProblemView } from './ProblemView.tsx';

const words: Readonly<Record<403 | 404 | 500, readonly [title: TextKey, explanation: TextKey]>> = {
  403: ['errors.forbiddenTitle', 'errors.forbidden'],
  404: ['errors.notFoundTitle', 'errors.notFound'],
  500: ['errors.brokenTitle', 'errors.broken'],
};

/** One of the three error pages every console of the family has. */
export function ErrorPage({ status, onLeave }: { readonly status: 403 | 404 | 500; readonly onLeave: () => void }) {
  const text = useText();
  const [title, explanation] = words[status];
  return <ProblemView status={status} title={text(title)} explanation={text(explanation)} actions={[{ label: text('errors.backHome'), onAction: onLeave }]} />;
}
