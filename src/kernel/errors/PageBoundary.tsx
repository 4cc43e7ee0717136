import { Component, type ErrorInfo, type ReactNode } from 'react';

interface PageBoundaryProps {
  readonly children: ReactNode;
  /** Told once for each failure. */
  readonly onError: (error: unknown, where: string) => void;
  /** What stands in place of the page; `retry` shows it anew. */
  readonly fallback: (error: unknown, retry: () => void) => ReactNode;
}

interface Caught {
  readonly error?: { readonly thrown: unknown } | undefined;
}

/** Keeps the failure of one page to that page. */
export class PageBoundary extends Component<PageBoundaryProps, Caught> {
  override state: Caught = {};

  static getDerivedStateFromError(thrown: unknown): Caught {
    return { error: { thrown } };
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    this.props.onError(thrown, componentStack ?? '');
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error.thrown, () => this.setState({ error: undefined })) : this.props.children;
  }
}
