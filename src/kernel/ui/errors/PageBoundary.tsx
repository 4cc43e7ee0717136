import { Component, type ErrorInfo, type ReactNode } from 'react';
import type { Disposer } from '../../base/bus/bus.ts';
import { type RunawayRender, watchRunaway } from './runaway-renders.ts';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** Called once for each failure. */
  readonly onError: (error: unknown, where: string) => void;
  /** True for the boundary around the whole console, which is exempt from the check for endless rendering. */
  readonly isShell?: boolean;
  /** Renders the replacement of the page; `retry` mounts the page again. */
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface PageBoundaryState {
  readonly error?: { readonly thrown: unknown } | undefined;
}

/** Contains the failure of one page, endless rendering included, so that the rest of the console keeps working. */
export class PageBoundary extends Component<PageBoundaryProps, PageBoundaryState> {
  override state: PageBoundaryState = {};
  private unwatch: Disposer | undefined;

  static getDerivedStateFromError(thrown: unknown): PageBoundaryState {
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
