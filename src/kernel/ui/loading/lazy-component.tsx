import { Component, type ComponentType, type FunctionComponent, lazy, type ReactNode } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import styles from './lazy-component.module.css';

type Close = (() => void) | undefined;

/**
 * Creates a component whose file is loaded when it is first shown. If loading fails, only this component is replaced by a message with a retry button;
 * one that opens over the page can be closed instead.
 */
export function lazyComponent<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>): FunctionComponent<Props> {
  const createPart = () => lazy(load as () => Promise<{ default: ComponentType<object> }>);
  let Part = createPart();
  // `lazy` caches a failed load, so every retry creates a new one.
  const reset = () => {
    Part = createPart();
  };
  return function LazyPart(props) {
    const { onClose, onDone } = props as { onClose?: Close; onDone?: Close };
    return (
      <Boundary onMissing={reset} onClose={onClose ?? onDone}>
        {() => <Part {...props} />}
      </Boundary>
    );
  };
}

interface BoundaryProps {
  readonly onMissing: () => void;
  readonly onClose: Close;
  readonly children: () => ReactNode;
}

interface LazyPartState {
  readonly caught?: { readonly thrown: unknown } | undefined;
}

/** Catches a file that failed to load; every other error passes on to the page. */
class Boundary extends Component<BoundaryProps, LazyPartState> {
  override state: LazyPartState = {};

  static getDerivedStateFromError(thrown: unknown): LazyPartState {
    return { caught: { thrown } };
  }

  override componentDidCatch(thrown: unknown): void {
    if (isMissingFile(thrown)) this.props.onMissing();
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children();
    if (!isMissingFile(caught.thrown)) throw caught.thrown;
    return <Missing onClose={this.props.onClose} onRetry={() => this.setState({ caught: undefined })} />;
  }
}

function Missing({ onClose, onRetry }: { readonly onClose: Close; readonly onRetry: () => void }) {
  const t = useTranslation();
  const retry = (
    <button type="button" className={styles.button} title={onClose ? undefined : t('errors.chunk')} onClick={onRetry}>
      {t('errors.retry')}
    </button>
  );
  if (!onClose) return retry;
  return (
    <div className={styles.over} role="alert">
      {t('errors.chunk')}
      {retry}
      <button type="button" className={styles.button} onClick={onClose}>
        {t('shell.cancel')}
      </button>
    </div>
  );
}

/** Detects the error of a chunk that failed to load: the network is down, or the server has another build. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || /loading (css )?chunk|dynamically imported module/i.test(error.message));
