import { Component, type ComponentType, type FunctionComponent, lazy, type ReactNode } from 'react';
import { isMissingFile } from './errors/missing-file.ts';
import { useText } from './i18n/use-words.ts';
import styles from './part.module.css';

type Close = (() => void) | undefined;

/** A component whose file is fetched when it is first shown. One that does not arrive takes nothing around it along: it says so in its place and offers another try; what opens over the page can be closed instead. */
export function part<Props extends object>(load: () => Promise<{ default: (props: Props) => ReactNode }>): FunctionComponent<Props> {
  const fetched = () => lazy(load as () => Promise<{ default: ComponentType<object> }>);
  let Part = fetched();
  // A failed load stays failed inside of `lazy`: every try takes a new one.
  const forget = () => {
    Part = fetched();
  };
  return function PartOf(props) {
    const { onClose, onDone } = props as { onClose?: Close; onDone?: Close };
    return (
      <Boundary onMissing={forget} onClose={onClose ?? onDone}>
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

interface Caught {
  readonly caught?: { readonly thrown: unknown } | undefined;
}

/** Keeps a file that is missing to the part that needs it; every other failure is the page's. */
class Boundary extends Component<BoundaryProps, Caught> {
  override state: Caught = {};

  static getDerivedStateFromError(thrown: unknown): Caught {
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
  const text = useText();
  const retry = (
    <button type="button" className={styles.button} title={onClose ? undefined : text('errors.chunk')} onClick={onRetry}>
      {text('errors.retry')}
    </button>
  );
  if (!onClose) return retry;
  return (
    <div className={styles.over} role="alert">
      {text('errors.chunk')}
      {retry}
      <button type="button" className={styles.button} onClick={onClose}>
        {text('shell.cancel')}
      </button>
    </div>
  );
}
