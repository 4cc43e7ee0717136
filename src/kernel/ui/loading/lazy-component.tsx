import { Component, type ComponentType, type FunctionComponent, lazy, type ReactNode } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import styles from './lazy-component.module.css';

type Close = (() => void) | undefined;

/**
 * Creates a component whose file is loaded when it is first shown. If loading fails, a retry button replaces this component only. A component with `onClose` or
 * `onDone`, such as a dialog, is replaced by a message with a retry button and a button that closes it.
 */
export function lazyComponent<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>): FunctionComponent<Props> {
  const createLazy = () => lazy(load as () => Promise<{ default: ComponentType<object> }>);
  let Loaded = createLazy();
  // `lazy` caches a failed load, so every retry creates a new one.
  const reset = () => {
    Loaded = createLazy();
  };
  return function LazyComponent(props) {
    const { onClose, onDone } = props as { onClose?: Close; onDone?: Close };
    return (
      <Boundary onLoadError={reset} onClose={onClose ?? onDone}>
        {() => <Loaded {...props} />}
      </Boundary>
    );
  };
}

interface BoundaryProps {
  readonly onLoadError: () => void;
  readonly onClose: Close;
  readonly children: () => ReactNode;
}

interface BoundaryState {
  readonly caught?: { readonly thrown: unknown } | undefined;
}

/** Catches the error of a file that failed to load; every other error passes on to the page. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = {};

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { caught: { thrown } };
  }

  override componentDidCatch(thrown: unknown): void {
    if (isChunkLoadError(thrown)) this.props.onLoadError();
  }

  override render(): ReactNode {
    const { caught } = this.state;
    if (!caught) return this.props.children();
    if (!isChunkLoadError(caught.thrown)) throw caught.thrown;
    return <LoadError onClose={this.props.onClose} onRetry={() => this.setState({ caught: undefined })} />;
  }
}

function LoadError({ onClose, onRetry }: { readonly onClose: Close; readonly onRetry: () => void }) {
  const t = useTranslation();
  const retry = (
    <button type="button" className={styles.button} title={onClose ? undefined : t('errors.chunk')} onClick={onRetry}>
      {t('errors.retry')}
    </button>
  );
  if (!onClose) return retry;
  return (
    <div className={styles.overlay} role="alert">
      {t('errors.chunk')}
      {retry}
      <button type="button" className={styles.button} onClick={onClose}>
        {t('shell.cancel')}
      </button>
    </div>
  );
}

/** Tests for the error of a chunk that failed to load, because the network is down or the server has another build. */
export const isChunkLoadError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ChunkLoadError' || /loading (css )?chunk|dynamically imported module/i.test(error.message));
