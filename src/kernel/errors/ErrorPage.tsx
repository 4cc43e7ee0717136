import { type ComponentProps, useEffect } from 'react';
import type { TextKey } from '../i18n/texts.ts';
import { useText, useWords } from '../i18n/use-words.ts';
import { useService } from '../services.tsx';
import { Branding } from '../shell/branding.ts';
import type { Scene } from './Illustration.tsx';
import { ProblemView } from './ProblemView.tsx';

const words: Readonly<Record<403 | 404 | 500, readonly [scene: Scene, title: TextKey, explanation: TextKey]>> = {
  403: ['forbidden', 'errors.forbiddenTitle', 'errors.forbidden'],
  404: ['lost', 'errors.notFoundTitle', 'errors.notFound'],
  500: ['broken', 'errors.brokenTitle', 'errors.broken'],
};

interface ErrorPageProps {
  readonly status: 403 | 404 | 500;
  readonly onLeave: () => void;
  /** What else can be done here. */
  readonly further?: ComponentProps<typeof ProblemView>['actions'];
}

/** One of the three error pages every console of the family has; it stands before the sign-in too, where nothing but the light kernel runs. */
export function ErrorPage({ status, onLeave, further = [] }: ErrorPageProps) {
  const text = useText();
  const say = useWords();
  const { title: product } = useService(Branding);
  const [scene, title, explanation] = words[status];
  const windowTitle = `${text(title)} - ${say(product)}`;
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
  return (
    <ProblemView
      scene={scene}
      status={status}
      title={text(title)}
      explanation={text(explanation)}
      actions={[{ label: text('errors.backHome'), onAction: onLeave }, ...further]}
    />
  );
}
