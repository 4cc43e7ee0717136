import { type ComponentProps, useEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Branding } from '../../platform/theme/branding.ts';
import type { Scene } from './Illustration.tsx';
import { ProblemView } from './ProblemView.tsx';

const pageTexts: Readonly<Record<403 | 404 | 500, readonly [scene: Scene, title: TextKey, explanation: TextKey]>> = {
  403: ['forbidden', 'errors.forbiddenTitle', 'errors.forbidden'],
  404: ['lost', 'errors.notFoundTitle', 'errors.notFound'],
  500: ['broken', 'errors.brokenTitle', 'errors.broken'],
};

interface ErrorPageProps {
  readonly status: 403 | 404 | 500;
  readonly onLeave: () => void;
  /** Actions besides the one that leads home. */
  readonly extraActions?: ComponentProps<typeof ProblemView>['actions'];
}

/** Renders one of the error pages 403, 404 and 500; it also works before sign-in, where only the core services run. */
export function ErrorPage({ status, onLeave, extraActions = [] }: ErrorPageProps) {
  const t = useTranslation();
  const { title: product } = useService(Branding);
  const [scene, title, explanation] = pageTexts[status];
  const documentTitle = `${t(title)} - ${t(product)}`;
  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);
  return (
    <ProblemView
      scene={scene}
      status={status}
      title={t(title)}
      explanation={t(explanation)}
      actions={[{ label: t('errors.backHome'), onAction: onLeave }, ...extraActions]}
    />
  );
}
