import { type ReactNode, useState } from 'react';
import { copyText } from '../../platform/browser/copy-text.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Illustration, type Scene } from './Illustration.tsx';
import styles from './ProblemView.module.css';

interface ProblemAction {
  readonly label: string;
  readonly onAction: () => void;
}

interface ProblemViewProps {
  /** Illustration above the title; a dark sign by default. */
  readonly scene?: Scene;
  /** HTTP status shown in the illustration: 403, 404 or 500. */
  readonly status?: number;
  readonly title: string;
  readonly explanation: string;
  /** Details for maintainers; shown on demand and copied verbatim. */
  readonly details?: string | undefined;
  /** The first action is the primary one. */
  readonly actions: readonly ProblemAction[];
  readonly children?: ReactNode;
}

/** Explains a problem and offers actions to solve it. */
export function ProblemView({ scene = 'broken', status, title, explanation, details, actions, children }: ProblemViewProps) {
  return (
    <div className={styles.view}>
      <Illustration scene={scene} status={status} />
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.explanation}>{explanation}</p>
      {children}
      <div className={styles.actions}>
        {actions.map(({ label, onAction }, index) => (
          <button key={label} type="button" className={index === 0 ? styles.primary : styles.secondary} onClick={onAction}>
            {label}
          </button>
        ))}
        {details && <CopyDetails details={details} />}
      </div>
      {details && <Details details={details} />}
    </div>
  );
}

function CopyDetails({ details }: { readonly details: string }) {
  const t = useTranslation();
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => setIsCopied(await copyText(details));
  return (
    <button type="button" className={styles.secondary} onClick={() => void copy()}>
      {t(isCopied ? 'errors.copied' : 'errors.copyDetails')}
    </button>
  );
}

function Details({ details }: { readonly details: string }) {
  const t = useTranslation();
  return (
    <details className={styles.details}>
      <summary>{t('errors.details')}</summary>
      <pre>{details}</pre>
    </details>
  );
}
