import { Component, type ErrorInfo, type ReactNode } from 'react';
import type { Undo } from '../bus.ts';
import { type RunawayRender, watchRunaway } from './runaway-renders.ts';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** Told once for each failure. */
  readonly onError: (error: unknown, where: string) => void;
  /** It stands around everything: what is in it is never taken away for being drawn too often. */
  readonly isShell?: boolean;
  /** What stands in place of the page; `retry` shows it anew. */
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface Caught {
  readonly error?: { readonly thrown: unknown } | undefined;
}

/** Keeps the failure of one page to that page, one that has itself drawn without end included. */
export class PageBoundary extends Component<PageBoundaryProps, Caught> {
  override state: Caught = {};
  private unwatch: Undo | undefined;

  static getDerivedStateFromError(thrown: unknown): Caught {
    return { error: { thrown } };
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    this.props.onError(thrown, componentStack ?? '');
  }

  override componentDidMount(): void {
    if (this.props.isShell) return;
    this.unwatch = watchRunaway(this);
  }

  override componentWillUnmount(): void {
    this.unwatch?.();
  }

  stopRunaway(error: RunawayRender): void {
    this.setState({ error: { thrown: error } });
    this.props.onError(error, '');
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error.thrown, () => this.setState({ error: undefined })) : this.props.children;
  }
}
